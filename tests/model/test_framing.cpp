#include "model/framing.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace narrows {
namespace {

const Framing hypertransport{bytes(16), {}, {}, {}, 72.0 / 64};
const Framing xt3_link{bytes(28), {}, {}, {}, 72.0 / 64 * 21 / 16};
const Framing bluegene_mpi{bytes(48), bytes(32), bytes(256), bytes(14)};
const Framing bluegene_raw{bytes(24), bytes(32), bytes(256), bytes(14)};

}  // namespace

TEST_CASE("bytes on the wire that the papers print") {
    CHECK(wire_bytes(hypertransport, bytes(8)) == bytes(27));
    CHECK(wire_bytes(xt3_link, bytes(8)).si() == Approx(36.0 * 72 / 64 * 21 / 16));
    CHECK(wire_bytes(bluegene_mpi, bytes(8)) == bytes(78));
    CHECK(wire_bytes(bluegene_raw, bytes(8)) == bytes(46));
}

TEST_CASE("a message without framing is its payload, one without payload is a packet") {
    CHECK(wire_bytes({}, bytes(1000)) == bytes(1000));
    CHECK(wire_bytes({}, bytes(0)) == bytes(0));
    CHECK(wire_bytes(bluegene_raw, bytes(0)) == bytes(32 + 14));
    CHECK(wire_bytes(hypertransport, bytes(0)) == bytes(18));
}

TEST_CASE("a long message fills packets in order") {
    const double room = 256 - 24;
    CHECK(wire_bytes(bluegene_raw, bytes(room)) == bytes(256 + 14));
    CHECK(wire_bytes(bluegene_raw, bytes(room + 1)) == bytes(256 + 14 + 32 + 14));
    CHECK(wire_bytes(bluegene_raw, bytes(2 * room)) == bytes(2 * (256 + 14)));
    CHECK(wire_bytes(bluegene_raw, bytes(10 * room + 100)) == bytes(10 * (256 + 14) + 128 + 14));
}

TEST_CASE("more payload is never fewer bytes on the wire, and never fewer than the payload") {
    for (const Framing& framing : {hypertransport, xt3_link, bluegene_mpi, bluegene_raw}) {
        for (int size = 0; size < 2000; ++size) {
            CAPTURE(size);
            REQUIRE(wire_bytes(framing, bytes(size + 1)) >= wire_bytes(framing, bytes(size)));
            REQUIRE(wire_bytes(framing, bytes(size)) > bytes(size));
        }
    }
}

TEST_CASE("a packet holds as many items as leave it unpadded") {
    for (int most = 1; most <= 40; ++most) {
        CAPTURE(most);
        const int unpadded = most >= 29 ? 29 : (most - 1) / 4 * 4 + 1;  // 24 + 8 k is a multiple of 32
        CHECK(items_per_packet(bluegene_raw, bytes(8), most) == unpadded);
    }
}

TEST_CASE("where every packet is padded, it holds what fits") {
    const Framing odd{bytes(20), bytes(32), bytes(256), bytes(14)};  // 20 + 8 k is no multiple of 32
    CHECK(items_fitting(bluegene_raw, bytes(8), 8) == 8);
    CHECK(items_fitting(bluegene_raw, bytes(8), 1024) == 29);
    CHECK(items_fitting(hypertransport, bytes(8), 1000) == 1000);
    CHECK(items_fitting(bluegene_raw, bytes(1000), 1000) == 1);
    CHECK(items_per_packet(odd, bytes(8), 7) == 7);
    CHECK(items_per_packet(odd, bytes(8), 1000) == 29);
    CHECK(items_per_packet(hypertransport, bytes(8), 1000) == 1000);
    CHECK(items_per_packet({bytes(24), {}, bytes(256), {}}, bytes(8), 1000) == 29);
}

TEST_CASE("framings that cannot be are broken preconditions") {
    const Framing full{bytes(48), bytes(32), bytes(48), {}};
    CHECK_THROWS_AS(wire_bytes(full, bytes(8)), std::logic_error);
    CHECK_THROWS_AS(items_per_packet(bluegene_raw, bytes(8), 0), std::logic_error);
    CHECK_THROWS_AS(items_per_packet(bluegene_raw, bytes(0), 1), std::logic_error);
}

TEST_CASE("the smallest packet has room for some payload anyway") {
    CHECK(free_payload(bluegene_mpi) == bytes(16));
    CHECK(free_payload(bluegene_raw) == bytes(8));
    CHECK(free_payload(hypertransport) == bytes(0));  // without a granule no byte is free
}

}  // namespace narrows
