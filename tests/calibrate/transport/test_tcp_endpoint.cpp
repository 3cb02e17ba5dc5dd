#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <random>
#include <vector>

#include "tcp_pair.hpp"

using namespace narrows;

namespace {

const auto ignore = [](PacketHeader, const std::byte*) {};

void write_frame(const Socket& socket, PacketHeader header, std::span<const std::byte> payload = {}) {
    FrameWriter writer(0);
    REQUIRE(writer.append(header, {payload.data(), static_cast<std::uint32_t>(payload.size())}));
    const std::uint64_t bytes = writer.pending().size();
    REQUIRE(send_all(socket, std::as_bytes(std::span(&bytes, 1)), seconds_from_now(patience)));
    REQUIRE(send_all(socket, writer.pending(), seconds_from_now(patience)));
}

/// The words of the next frames: `words.size()` of them. False when they do not come in time.
bool read_words(const Socket& socket, std::span<std::uint64_t> words, double seconds = patience) {
    const Deadline end = seconds_from_now(seconds);
    while (!words.empty()) {
        std::uint64_t bytes = 0;
        if (!receive_all(socket, std::as_writable_bytes(std::span(&bytes, 1)), end)) return false;
        REQUIRE(bytes <= words.size_bytes());  // none is a sign of life
        if (!receive_all(socket, std::as_writable_bytes(words.first(bytes / sizeof bytes)), end)) return false;
        words = words.subspan(bytes / sizeof bytes);
    }
    return true;
}

/// Says `control` as `from` does to rank 0.
void say(const Socket& socket, int from, const Control& control) {
    const std::uint64_t word = control.word();
    write_frame(socket, {control_kind, from, 0, Control::bytes}, std::as_bytes(std::span(&word, 1)));
}

/// What polling throws in the end.
std::string error_of(TcpEndpoint& endpoint) {
    const Deadline end = seconds_from_now(patience);
    try {
        while (std::chrono::steady_clock::now() < end) endpoint.poll(ignore);
    } catch (const TransportError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("TCP endpoint: delivers what comes, and what a rank sends to itself") {
    NearAndFar ends(2);
    TcpEndpoint endpoint(std::move(ends.near));
    CHECK(endpoint.processes() == 2);
    CHECK(endpoint.process() == 0);
    CHECK(endpoint.process_of(1) == 1);
    const std::uint64_t word = 77;
    const auto payload = std::as_bytes(std::span(&word, 1));
    write_frame(ends.far[1], {9, 1, 0, 8}, payload);
    REQUIRE(endpoint.try_send({8, 0, 0, 8}, {&word, 8}));
    std::vector<int> kinds;
    while (kinds.size() < 3) {
        endpoint.poll([&](PacketHeader header, const std::byte* data) {
            CHECK(std::memcmp(data, &word, 8) == 0);
            CHECK(reinterpret_cast<std::uintptr_t>(data) % 8 == 0);
            kinds.push_back(static_cast<int>(header.kind));
            // A handler may send, to its own rank too.
            if (header.kind == 8) CHECK(endpoint.try_send({7, 0, 0, 8}, {data, 8}));
        });
    }
    CHECK(std::ranges::count(kinds, 8) == 1);
    CHECK(std::ranges::count(kinds, 9) == 1);
    CHECK(std::ranges::count(kinds, 7) == 1);
}

TEST_CASE("TCP endpoint: packets are gathered until they are flushed") {
    NearAndFar ends(2);
    TcpEndpoint endpoint(std::move(ends.near));
    const std::uint64_t word = 5;
    REQUIRE(endpoint.try_send({1, 0, 1, 8}, {&word, 8}));
    std::array<std::uint64_t, 2> got{};
    CHECK_FALSE(read_words(ends.far[1], got, 0.02));
    endpoint.flush();
    CHECK(read_words(ends.far[1], got));
    CHECK(PacketHeader::of(got[0]).to == 1);
}

TEST_CASE("TCP endpoint: takes nothing when the buffer is full, and loses nothing") {
    NearAndFar ends(2);
    TcpEndpoint endpoint(std::move(ends.near), 0);
    std::vector<std::uint64_t> data(1000);
    const auto try_number = [&](std::uint64_t number) {
        data.front() = number;
        return endpoint.try_send({1, 0, 1, 8000}, {data.data(), 8000});
    };
    std::uint64_t sent = 0;
    while (try_number(sent)) ++sent;
    CHECK(sent > 4);
    CHECK_FALSE(try_number(sent));
    FrameReader reader({0, ""}, 1);
    TcpConnection far(std::move(ends.far[1]), {0, ""}, {});
    std::uint64_t received = 0;
    const Deadline end = seconds_from_now(patience);
    const std::uint64_t all = sent + 500;
    while (received < all && std::chrono::steady_clock::now() < end) {
        if (sent < all && try_number(sent)) ++sent;
        endpoint.poll(ignore);
        far.receive(reader);
        for (FrameReader::Frame frame; reader.next(frame); ++received) {
            REQUIRE(std::memcmp(frame.payload, &received, 8) == 0);
        }
    }
    CHECK(received == all);
}

TEST_CASE("TCP endpoint: what is no packet ends the run and names its sender") {
    const auto error = [](PacketHeader header) {
        NearAndFar ends(3);
        TcpEndpoint endpoint(std::move(ends.near));
        write_frame(ends.far[2], header, std::vector<std::byte>(header.bytes));
        return error_of(endpoint);
    };
    CHECK(error({1, 2, 0, 8200}) ==
          "rank 2 at there:2 sent what is no packet to rank 0 (kind 1, from rank 2 to rank 0, 8200 bytes): do both run "
          "the same version?");
    CHECK_THAT(error({1, 1, 0, 8}), Catch::StartsWith("rank 2 at there:2 sent"));
    CHECK_THAT(error({1, 2, 1, 8}), Catch::StartsWith("rank 2 at there:2 sent"));
    CHECK_THAT(error({0, 2, 0, 24}), Catch::StartsWith("rank 2 at there:2 sent"));
    CHECK(error({0, 2, 0, 8}) == "rank 2 at there:2 sent an unknown word 0: do both run the same version?");
}

TEST_CASE("TCP endpoint: random bytes from a peer are an error, never a crash or a hang") {
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed);
        NearAndFar ends(2);
        TcpEndpoint endpoint(std::move(ends.near));
        std::vector<std::byte> garbage(random() % 5000);
        std::generate(garbage.begin(), garbage.end(), [&] { return static_cast<std::byte>(random()); });
        REQUIRE(send_all(ends.far[1], garbage, seconds_from_now(patience)));
        ends.far[1].close();
        CHECK_THAT(error_of(endpoint), Catch::StartsWith("rank 1 at there:1 "));
    }
}

TEST_CASE("TCP endpoint: a peer that closes its connection is gone, unless it said farewell") {
    const int ranks = GENERATE(2, 3);
    NearAndFar ends(ranks);
    TcpEndpoint endpoint(std::move(ends.near));
    SECTION("in the middle of a packet") {
        const std::uint64_t bytes = 108;
        REQUIRE(send_all(ends.far[1], std::as_bytes(std::span(&bytes, 1)), seconds_from_now(patience)));
        ends.far[1].close();
        CHECK(error_of(endpoint) ==
              "rank 1 at there:1 is gone: it closed its connection before it had finished; see its last messages, then "
              "start the job again");
    }
    SECTION("while it is being sent to") {
        ends.far[1].close();
        const std::uint64_t word = 1;
        std::string error;
        try {
            for (int i = 0; i < 100000; ++i) {
                while (!endpoint.try_send({1, 0, 1, 8}, {&word, 8})) endpoint.poll(ignore);
                endpoint.poll(ignore);
            }
        } catch (const TransportError& thrown) {
            error = thrown.what();
        }
        CHECK_THAT(error, Catch::StartsWith("rank 1 at there:1 is gone: it"));
    }
    SECTION("after its farewell") {
        say(ends.far[1], 1, {Control::What::farewell});
        ends.far[1].close();
        const std::uint64_t word = 1;
        for (int i = 0; i < 1000; ++i) {
            endpoint.poll(ignore);
            CHECK(endpoint.try_send({1, 0, 1, 8}, {&word, 8}));
        }
    }
}

TEST_CASE("TCP endpoint: who lost a peer tells the others which") {
    NearAndFar ends(4);
    TcpEndpoint endpoint(std::move(ends.near));
    SECTION("and they name it") {
        say(ends.far[2], 2, {Control::What::loss, 3});
        ends.far[2].close();
        CHECK_THAT(error_of(endpoint),
                   Catch::StartsWith("rank 3 at there:3 is gone: rank 2 has lost its connection to it;"));
    }
    SECTION("by a packet to each") {
        ends.far[3].close();
        CHECK_THAT(error_of(endpoint), Catch::StartsWith("rank 3 at there:3 is gone"));
        for (const std::size_t rank : {1U, 2U}) {
            std::array<std::uint64_t, 2> words{};
            REQUIRE(read_words(ends.far[rank], words));
            CHECK(PacketHeader::of(words[0]).kind == control_kind);
            CHECK(Control::of(words[1]).what == Control::What::loss);
            CHECK(Control::of(words[1]).rank == 3);
        }
    }
    SECTION("and nobody is believed to have lost who cannot be") {
        say(ends.far[2], 2, {Control::What::loss, GENERATE(0U, 4U, std::uint64_t{1} << 55)});
        CHECK_THAT(error_of(endpoint), Catch::StartsWith("rank 2 at there:2 is gone"));
    }
}

TEST_CASE("TCP endpoint: finish sends what is left and waits for the others' farewell") {
    NearAndFar ends(2);
    TcpEndpoint endpoint(std::move(ends.near));
    const std::uint64_t word = 1;
    REQUIRE(endpoint.try_send({1, 0, 1, 8}, {&word, 8}));
    SECTION("which they say") {
        write_frame(ends.far[1], {5, 1, 0, 0});
        say(ends.far[1], 1, {Control::What::farewell});
        endpoint.finish();
        std::array<std::uint64_t, 4> words{};
        REQUIRE(read_words(ends.far[1], words));
        CHECK(words[1] == 1);
        CHECK(words[2] == PacketHeader{control_kind, 0, 1, Control::bytes}.word());
        CHECK(Control::of(words[3]).what == Control::What::farewell);
    }
    SECTION("or end without") {
        ends.far[1].close();
        CHECK_THROWS_AS(endpoint.finish(), TransportError);
    }
}

TEST_CASE("TCP endpoint: all are done when each has said so") {
    NearAndFar ends(3);
    TcpEndpoint endpoint(std::move(ends.near));
    CHECK_FALSE(endpoint.all_done());
    std::array<std::uint64_t, 2> words{};
    REQUIRE(read_words(ends.far[1], words));
    CHECK(Control::of(words[1]).what == Control::What::done);
    say(ends.far[1], 1, {Control::What::done});
    for (int i = 0; i < 100; ++i) endpoint.poll(ignore);
    CHECK_FALSE(endpoint.all_done());
    say(ends.far[2], 2, {Control::What::done});
    const Deadline end = seconds_from_now(patience);
    while (!endpoint.all_done() && std::chrono::steady_clock::now() < end) endpoint.poll(ignore);
    CHECK(endpoint.all_done());
}
