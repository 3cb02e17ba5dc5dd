#include <catch2/catch.hpp>

#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/update_table.hpp"

using namespace narrows;

TEST_CASE("the stream formed eight at a time is HPCC's, formed one at a time") {
    Word update = 1;
    UpdateStream stream(0);
    for (int batch = 0; batch < 5000; ++batch, stream.advance()) {
        for (std::size_t lane = 0; lane < line_words; ++lane) {
            update = (update << 1) ^ (static_cast<std::int64_t>(update) < 0 ? Word{7} : Word{0});
            REQUIRE(stream.lanes()[lane] == update);
        }
    }
}

TEST_CASE("the stream can be entered anywhere") {
    CHECK(stream_start(0) == 1);
    CHECK(stream_start(1) == 2);
    CHECK(stream_start(63) == Word{1} << 63);
    CHECK(stream_start(64) == 7);
    Word update = 1;
    for (std::uint64_t position = 0; position < 3000; ++position, update = next_update(update)) {
        REQUIRE(stream_start(position) == update);
    }
    const std::uint64_t far = (std::uint64_t{1} << 40) + 12345;
    Word there = stream_start(far);
    for (int step = 0; step < 100; ++step) there = next_update(there);
    CHECK(there == stream_start(far + 100));
}

TEST_CASE("shares of updates are consecutive, complete and differ by at most one") {
    for (const std::uint64_t updates : {0ULL, 1ULL, 6ULL, 7ULL, 1000ULL, (1ULL << 60) + 5}) {
        std::uint64_t next = 0;
        for (int rank = 0; rank < 7; ++rank) {
            const UpdateShare share = update_share(updates, 7, rank);
            REQUIRE(share.first == next);
            REQUIRE(share.count() - updates / 7 <= 1);
            next = share.last;
        }
        CHECK(next == updates);
    }
}
