#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "calibrate/transport/tcp_frames.hpp"

using namespace narrows;

namespace {

constexpr int peer = 3;
constexpr int me = 5;

FrameReader reader_under_test() {
    return {{peer, "there:7"}, me};
}

std::vector<std::byte> bytes_of(const PacketHeader& header, std::size_t payload) {
    std::vector<std::byte> bytes(frame_bytes(payload));
    const std::uint64_t word = header.word();
    std::memcpy(bytes.data(), &word, sizeof word);
    return bytes;
}

void give(FrameReader& reader, std::span<const std::byte> bytes) {
    const std::span<std::byte> space = reader.space();
    REQUIRE(space.size() >= bytes.size());
    std::memcpy(space.data(), bytes.data(), bytes.size());
    reader.received(bytes.size());
}

std::string refusal(const PacketHeader& header) {
    FrameReader reader = reader_under_test();
    give(reader, bytes_of(header, 0));
    FrameReader::Frame frame;
    try {
        reader.next(frame);
    } catch (const TransportError& error) {
        return error.what();
    }
    return "";
}

/// Reads until nothing whole is left or it is no packet; the frames read.
int frames_in(FrameReader& reader) {
    FrameReader::Frame frame;
    int frames = 0;
    try {
        for (; reader.next(frame); ++frames) {
            CHECK(frame.header.from == peer);
            CHECK(frame.header.to == me);
            CHECK(frame.header.bytes <= most_packet_bytes);
        }
    } catch (const TransportError&) {
        return -1;
    }
    return frames;
}

}  // namespace

TEST_CASE("frames: packets of any size come out of a stream cut anywhere") {
    std::mt19937 random(1);
    FrameWriter writer(std::size_t{64} << 10);
    FrameReader reader = reader_under_test();
    const auto size_of = [](unsigned number) {
        return (std::size_t{number} * number * 7919) % (most_packet_bytes + 1);
    };
    const auto byte_of = [](unsigned number, std::size_t at) { return static_cast<std::byte>(number + at * 31); };
    unsigned sent = 0, received = 0, wrong = 0;
    while (received < 3000) {
        std::vector<std::byte> data(size_of(sent));
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = byte_of(sent, i);
        const auto head = static_cast<std::uint32_t>(data.size() / 3);
        const auto all = static_cast<std::uint32_t>(data.size());
        const PacketHeader header{static_cast<std::uint8_t>(1 + sent % 255), peer, me, all};
        if (writer.append(header, {data.data(), head, data.data() + head, all - head})) ++sent;
        const std::size_t cut = std::min<std::size_t>(random() % 20000, writer.pending().size());
        give(reader, writer.pending().first(std::min(cut, reader.space().size())));
        writer.consume(cut);
        for (FrameReader::Frame frame; reader.next(frame); ++received) {
            const std::size_t bytes = size_of(received);
            bool right = frame.header.kind == 1 + received % 255 && frame.header.bytes == bytes &&
                         reinterpret_cast<std::uintptr_t>(frame.payload) % 8 == 0;
            for (std::size_t i = 0; right && i < bytes; ++i) right = frame.payload[i] == byte_of(received, i);
            wrong += right ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("frames: a full writer takes nothing, and again when half of it has left") {
    FrameWriter writer(0);
    const std::vector<std::byte> data(1000);
    const PacketHeader header{1, me, peer, 1000};
    int taken = 0;
    while (writer.append(header, {data.data(), 1000})) ++taken;
    CHECK(taken == static_cast<int>(4 * frame_bytes(most_packet_bytes) / frame_bytes(1000)));
    CHECK(writer.pending().size() == static_cast<std::size_t>(taken) * frame_bytes(1000));
    writer.consume(writer.pending().size() / 2 + 8);
    CHECK(writer.append(header, {data.data(), 1000}));
    writer.consume(writer.pending().size());
    CHECK(writer.pending().empty());
}

TEST_CASE("frames: what is no packet is refused by its first word, with what it says") {
    CHECK(refusal({1, peer, me, most_packet_bytes}).empty());
    CHECK(refusal({1, peer, me, most_packet_bytes + 1}) ==
          "rank 3 at there:7 sent what is no packet to rank 5 (kind 1, from rank 3 to rank 5, 8193 bytes): do both run "
          "the same version?");
    CHECK_FALSE(refusal({1, peer, me, 65535}).empty());
    CHECK_FALSE(refusal({1, peer + 1, me, 8}).empty());
    CHECK_FALSE(refusal({1, peer, me + 1, 8}).empty());
    CHECK_FALSE(refusal({1, me, peer, 8}).empty());
    CHECK_FALSE(refusal({control_kind, peer, me, 16}).empty());
    CHECK_FALSE(refusal({control_kind, peer, me, 0}).empty());
    CHECK(refusal({control_kind, peer, me, Control::bytes}).empty());
}

TEST_CASE("frames: a truncated packet is not delivered") {
    const std::vector<std::byte> whole = bytes_of({1, peer, me, 100}, 100);
    for (const std::size_t part : {std::size_t{0}, std::size_t{7}, std::size_t{8}, whole.size() - 1}) {
        FrameReader reader = reader_under_test();
        give(reader, std::span(whole).first(part));
        CHECK(frames_in(reader) == 0);
        give(reader, std::span(whole).subspan(part));
        CHECK(frames_in(reader) == 1);
    }
}

TEST_CASE("frames: garbage is an error or nothing, never more than what came") {
    int refused = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        std::mt19937 random(seed);
        std::vector<std::byte> stream;
        while (stream.size() < 4000) {
            const auto bytes = static_cast<std::uint32_t>(random() % 300);
            const std::vector<std::byte> frame = bytes_of({7, peer, me, bytes}, bytes);
            stream.insert(stream.end(), frame.begin(), frame.end());
        }
        const auto sound = static_cast<std::ptrdiff_t>(stream.size());
        for (unsigned flips = 1 + random() % 4; flips > 0; --flips) {
            stream[random() % stream.size()] ^= static_cast<std::byte>(1U << random() % 8);
        }
        if (seed % 3 == 0) {
            std::generate(stream.begin(), stream.end(), [&] { return static_cast<std::byte>(random()); });
        }
        FrameReader reader = reader_under_test();
        int frames = 0;
        for (std::ptrdiff_t at = 0; at < sound && frames >= 0;) {
            const std::ptrdiff_t part = std::min(sound - at, static_cast<std::ptrdiff_t>(1 + random() % 1500));
            give(reader, std::span(stream).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(part)));
            frames = frames_in(reader);
            at += part;
        }
        refused += frames < 0 ? 1 : 0;
    }
    CHECK(refused > 1000);
    CHECK(refused < 3000);
}
