#include <catch2/catch.hpp>
#include <cstring>
#include <thread>
#include <vector>

#include "calibrate/transport/signs_of_life.hpp"
#include "calibrate/transport/tcp_connection.hpp"
#include "tcp_pair.hpp"

using namespace narrows;

namespace {

/// The keys of one end, and those of the other.
struct BothKeys {
    PeerKeys one{1, fresh_nonce(), fresh_nonce()};
    PeerKeys other{1, one.in, one.out};
};

void append_word(FrameWriter& out, std::uint64_t word) {
    REQUIRE(out.append({1, 0, 1, 8}, {&word, 8}));
}

/// The bytes of a record with one word, as they go over the network.
std::vector<std::byte> record_of(TcpConnection& sender, const Socket& far, std::uint64_t word, bool authenticated) {
    FrameWriter out(0);
    append_word(out, word);
    REQUIRE(sender.send(out));
    std::vector<std::byte> bytes(24 + (authenticated ? FrameSeal::tag_bytes : 0));
    REQUIRE(receive_all(far, bytes, seconds_from_now(patience)));
    return bytes;
}

/// What a connection with these keys says of the bytes; empty when it takes them.
std::string verdict_on(const std::vector<std::byte>& bytes, const PeerKeys& keys) {
    auto [near, far] = connected_pair();
    TcpConnection receiver(std::move(near), {0, "there:1"}, {keys, true});
    FrameReader in({0, ""}, 1);
    REQUIRE(send_all(far, bytes, seconds_from_now(patience)));
    far.close();
    try {
        while (receiver.receive(in).state != Transfer::State::over) {
        }
    } catch (const TransportError& error) {
        return error.what();
    }
    return "";
}

std::vector<std::byte> joined(const std::vector<std::byte>& first, const std::vector<std::byte>& second) {
    std::vector<std::byte> both = first;
    both.insert(both.end(), second.begin(), second.end());
    return both;
}

}  // namespace

TEST_CASE("TCP connection: frames of all sizes come whole, authenticated or not") {
    const bool authenticated = GENERATE(true, false);
    const BothKeys keys;
    auto [one, other] = connected_pair();
    TcpConnection sender(std::move(one), {1, ""}, {keys.one, authenticated});
    TcpConnection receiver(std::move(other), {0, ""}, {keys.other, authenticated});
    FrameWriter out(0);
    FrameReader in({0, ""}, 1);
    std::vector<std::byte> data(most_packet_bytes);
    constexpr std::uint64_t all = 3000;
    std::uint64_t sent = 0, received = 0;
    const Deadline end = seconds_from_now(patience);
    while (received < all && std::chrono::steady_clock::now() < end) {
        for (; sent < all; ++sent) {
            const auto bytes = static_cast<std::uint32_t>(8 + sent * 37 % (most_packet_bytes - 8));
            std::memcpy(data.data(), &sent, 8);
            if (!out.append({1, 0, 1, bytes}, {data.data(), bytes})) break;
        }
        REQUIRE(sender.send(out));
        if (sent % 7 == 0) sender.send_sign_of_life();
        receiver.receive(in);
        for (FrameReader::Frame frame; in.next(frame); ++received) {
            REQUIRE(frame.header.bytes == 8 + received * 37 % (most_packet_bytes - 8));
            REQUIRE(std::memcmp(frame.payload, &received, 8) == 0);
        }
    }
    CHECK(received == all);
}

TEST_CASE("TCP connection: what was altered, left out, repeated or made up is not authentic") {
    const BothKeys keys;
    auto [one, far] = connected_pair();
    TcpConnection sender(std::move(one), {1, ""}, {keys.one, true});
    const std::vector<std::byte> first = record_of(sender, far, 1, true);
    const std::vector<std::byte> second = record_of(sender, far, 2, true);
    CHECK(verdict_on(joined(first, second), keys.other).empty());
    const std::string refused =
        "a message in the name of rank 0 at there:1 is not authentic: it was altered or forged on the way; find out "
        "who else uses this network, then start the job again";
    for (std::size_t at = 0; at < first.size(); ++at) {
        std::vector<std::byte> altered = joined(first, second);
        altered[at] ^= std::byte{4};
        CAPTURE(at);
        // A record that is said to be longer is waited for.
        const std::string verdict = verdict_on(altered, keys.other);
        CHECK((verdict == refused || (at < 2 && verdict.empty())));
    }
    CHECK(verdict_on(second, keys.other) == refused);
    CHECK(verdict_on(joined(first, first), keys.other) == refused);
    CHECK(verdict_on(joined(second, first), keys.other) == refused);
    // What it sent itself comes back to it.
    CHECK(verdict_on(first, keys.one) == refused);
    CHECK(verdict_on(first, BothKeys().other) == refused);
}

TEST_CASE("TCP connection: nothing is handed on before all of its record has come") {
    const BothKeys keys;
    auto [one, far] = connected_pair();
    TcpConnection sender(std::move(one), {1, ""}, {keys.one, true});
    const std::vector<std::byte> record = record_of(sender, far, 9, true);
    auto [two, near] = connected_pair();
    TcpConnection receiver(std::move(two), {0, ""}, {keys.other, true});
    FrameReader in({0, ""}, 1);
    FrameReader::Frame frame;
    for (const std::byte& byte : record) {
        CHECK_FALSE(in.next(frame));
        REQUIRE(send_all(near, {&byte, 1}, seconds_from_now(patience)));
        while (receiver.receive(in).bytes == 0) {
        }
    }
    CHECK(in.next(frame));
}

TEST_CASE("TCP connection: signs of life are heard, and are no frames") {
    const BothKeys keys;
    auto [one, other] = connected_pair();
    TcpConnection sender(std::move(one), {1, ""}, {keys.one, true});
    TcpConnection receiver(std::move(other), {0, ""}, {keys.other, true});
    FrameReader in({0, ""}, 1);
    FrameReader::Frame frame;
    CHECK_FALSE(receiver.has_spoken());
    const std::jthread signs = signs_of_life({&sender});
    const Deadline end = seconds_from_now(patience);
    int heard = 0;
    while (heard < 2 && std::chrono::steady_clock::now() < end) {
        receiver.receive(in);
        CHECK_FALSE(in.next(frame));
        if (receiver.has_spoken()) ++heard;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK(heard == 2);
}
