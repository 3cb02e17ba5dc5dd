#include "calibrate/transport/packet_ring.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

using namespace narrows;

namespace {

struct RingUnderTest {
    explicit RingUnderTest(std::size_t bytes)
        : memory(bytes / 16), writer(data(), bytes, progress), reader(data(), bytes, progress) {}
    std::byte* data() { return reinterpret_cast<std::byte*>(memory.data()); }

    struct alignas(16) Unit {
        std::uint64_t words[2] = {};
    };
    std::vector<Unit> memory;
    RingProgress progress;
    RingWriter writer;
    RingReader reader;
};

std::vector<std::byte> numbered(std::size_t bytes, unsigned from) {
    std::vector<std::byte> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(from + 31 * i);
    return data;
}

PacketHeader header_of(unsigned number, std::size_t bytes) {
    return {static_cast<std::uint8_t>(1 + number % 255), static_cast<int>(number % most_packet_ranks),
            static_cast<int>((number * 7) % most_packet_ranks), static_cast<std::uint32_t>(bytes)};
}

}  // namespace

TEST_CASE("packet header: a word that is never zero and comes back whole", "[packet_ring]") {
    for (const PacketHeader header : {PacketHeader{1, 0, 0, 0}, PacketHeader{255, most_packet_ranks - 1, 5, 65535},
                                      PacketHeader{7, 122399, most_packet_ranks - 1, most_packet_bytes}}) {
        CHECK(header.word() > wrap_header);
        const PacketHeader back = PacketHeader::of(header.word());
        CHECK(back.kind == header.kind);
        CHECK(back.from == header.from);
        CHECK(back.to == header.to);
        CHECK(back.bytes == header.bytes);
    }
}

TEST_CASE("packet ring: room is in units of 16 bytes", "[packet_ring]") {
    CHECK(packet_room(0) == 16);
    CHECK(packet_room(8) == 16);
    CHECK(packet_room(9) == 32);
    CHECK(packet_room(most_packet_bytes) == most_packet_bytes + 16);
}

TEST_CASE("packet ring: an empty ring gives nothing, a full one takes nothing until it is read", "[packet_ring]") {
    RingUnderTest ring(least_ring_bytes);
    CHECK_FALSE(ring.reader.read(10, [](PacketHeader, const std::byte*) { FAIL("nothing was sent"); }));
    unsigned sent = 0;
    const std::uint64_t word = 5;
    while (ring.writer.try_write(header_of(sent, 8), {&word, 8})) ++sent;
    CHECK(sent > least_ring_bytes / 16 - 4);
    unsigned received = 0;
    const auto take = [&](PacketHeader header, const std::byte* payload) {
        CHECK(header.word() == header_of(received, 8).word());
        CHECK(std::memcmp(payload, &word, 8) == 0);
        ++received;
    };
    CHECK(ring.reader.is_behind());
    CHECK(ring.reader.read(1 << 20, take) > 0);
    CHECK_FALSE(ring.reader.is_behind());
    ring.reader.read(1 << 20, take);  // what the writer has not told of yet
    CHECK(received == sent);
    CHECK(ring.writer.try_write(header_of(0, 8), {&word, 8}));
}

TEST_CASE("packet ring: packets that the writer has not told of are read, over the ring's end too", "[packet_ring]") {
    RingUnderTest ring(least_ring_bytes);
    unsigned sent = 0, received = 0;
    const auto take = [&](PacketHeader, const std::byte* payload) {
        CHECK(std::memcmp(payload, &received, sizeof received) == 0);
        ++received;
    };
    const auto rounds = static_cast<unsigned>(4 * least_ring_bytes / 16);
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned i = 0; i < round % 5; ++i, ++sent) {
            REQUIRE(ring.writer.try_write(header_of(sent, sizeof sent), {&sent, sizeof sent}));
        }
        while (ring.reader.read(3, take) != 0) {
        }
        REQUIRE(received == sent);
        REQUIRE_FALSE(ring.reader.is_behind());
    }
}

TEST_CASE("packet ring: any sizes in two pieces, between two threads", "[packet_ring]") {
    constexpr unsigned count = 20000;
    RingUnderTest ring(least_ring_bytes);
    const auto size_of = [](unsigned number) {
        std::mt19937 random(number);
        return number % 50 == 0 ? random() % (most_packet_bytes + 1) : random() % 40;
    };
    std::jthread writer([&] {
        for (unsigned number = 0; number < count; ++number) {
            const auto data = numbered(size_of(number), number);
            const auto head = static_cast<std::uint32_t>(data.size() / 3);
            const Payload payload{data.data(), head, data.data() + head,
                                  static_cast<std::uint32_t>(data.size() - head)};
            while (!ring.writer.try_write(header_of(number, data.size()), payload)) std::this_thread::yield();
        }
    });
    unsigned received = 0, wrong = 0;
    while (received < count) {
        const bool any = ring.reader.read(100, [&](PacketHeader header, const std::byte* payload) {
            const auto expected = numbered(size_of(received), received);
            const bool right = header.word() == header_of(received, expected.size()).word() &&
                               std::equal(expected.begin(), expected.end(), payload);
            wrong += right ? 0 : 1;
            ++received;
        });
        if (!any) std::this_thread::yield();
    }
    CHECK(wrong == 0);
}
