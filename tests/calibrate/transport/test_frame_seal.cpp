#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "calibrate/transport/frame_seal.hpp"

using namespace narrows;

TEST_CASE("frame seal: a tag holds for its key, number and message alone") {
    const FrameSeal seal(fresh_nonce()), other(fresh_nonce());
    for (const std::size_t bytes : {0U, 1U, 64U, 1424U, 16384U}) {
        CAPTURE(bytes);
        std::vector<std::byte> message(bytes, std::byte{7});
        std::array<std::byte, FrameSeal::tag_bytes> tag{};
        seal.seal(5, message, tag.data());
        CHECK(seal.proves(tag.data(), 5, message));
        CHECK_FALSE(seal.proves(tag.data(), 6, message));
        CHECK_FALSE(other.proves(tag.data(), 5, message));
        for (std::size_t at = 0; at < bytes; at += 1 + bytes / 50) {
            message[at] ^= std::byte{1};
            CHECK_FALSE(seal.proves(tag.data(), 5, message));
            message[at] ^= std::byte{1};
        }
        tag[3] ^= std::byte{0x80};
        CHECK_FALSE(seal.proves(tag.data(), 5, message));
        message.push_back(std::byte{0});
        tag[3] ^= std::byte{0x80};
        CHECK_FALSE(seal.proves(tag.data(), 5, message));
    }
}

TEST_CASE("frame seal: says what it costs") {
    const double little = FrameSeal::seconds(64), much = FrameSeal::seconds(16384);
    CHECK(little > 1e-9);
    CHECK(little < much);
    CHECK(much < 0.01);
}
