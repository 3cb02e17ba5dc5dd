#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/transport/tcp_mesh.hpp"
#include "tcp_pair.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

JobSecret secret_of(const std::string& text) {
    return JobSecret::of(std::as_bytes(std::span(text)));
}

const JobSecret right = secret_of("the right secret");
const JobSecret wrong = secret_of("the wrong secret");

// As they travel.
constexpr std::size_t challenge_bytes = 64, claim_bytes = 280, answer_bytes = 208;

/// What joining throws; empty if it succeeds.
std::string error_of(const TcpPlace& place, const JobSecret& secret, Socket listener = {}) {
    try {
        join_mesh(place, secret, std::move(listener));
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

/// Rank 0 of a job, waiting for the others in a thread.
struct Root {
    explicit Root(int ranks, double seconds = patience, Wire wire = {})
        : listener(listen_at({"127.0.0.1", 0})), rendezvous(local_address(listener)) {
        error = std::async(std::launch::async, [this, ranks, seconds, wire] {
            return error_of({{0, ranks, false, wire}, rendezvous, seconds}, right, std::move(listener));
        });
    }
    Socket listener;
    HostPort rendezvous;
    std::future<std::string> error;
};

}  // namespace

TEST_CASE("joining: processes that know the secret find each other") {
    Root root(3);
    auto one = std::async(std::launch::async, error_of, TcpPlace{{1, 3}, root.rendezvous, patience}, right, Socket());
    CHECK(error_of({{2, 3}, root.rendezvous, patience}, right).empty());
    CHECK(one.get().empty());
    CHECK(root.error.get().empty());
}

TEST_CASE("joining: one process is a job") {
    CHECK(join_mesh({{0, 1}, {"127.0.0.1", 1}}, right).peers.size() == 1);
}

TEST_CASE("joining: a wrong secret is refused, and the job still comes together") {
    Root root(2);
    CHECK(error_of({{1, 2}, root.rendezvous, patience}, wrong) ==
          "rank 0 at " + root.rendezvous.text() +
              " cannot be joined: it refused the proof: give both the same secret and options");
    CHECK(error_of({{1, 2}, root.rendezvous, patience}, right).empty());
    CHECK(root.error.get().empty());
}

TEST_CASE("joining: strangers who are silent, leave or send garbage hold up nobody") {
    Root root(2);
    std::vector<Socket> strangers;
    strangers.reserve(20);
    for (int i = 0; i < 20; ++i) strangers.push_back(connect_to(root.rendezvous, seconds_from_now(patience)));
    for (std::size_t i = 0; i < 10; ++i) {
        const std::vector<std::byte> garbage(i * 30, std::byte{0x55});
        send_all(strangers[i], garbage, seconds_from_now(patience));
    }
    for (std::size_t i = 5; i < 8; ++i) strangers[i].close();
    const auto begin = std::chrono::steady_clock::now();
    CHECK(error_of({{1, 2}, root.rendezvous, patience}, right).empty());
    CHECK(root.error.get().empty());
    // To wait for one after the other would take as long for each of a dozen.
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    CHECK(taken.count() < 10 * handshake_seconds);
}

TEST_CASE("what cannot be listened at is told with a remedy") {
    const Socket taken = listen_at({"127.0.0.1", 0});
    CHECK_THROWS_WITH(listen_at(local_address(taken)), Catch::EndsWith("choose another port"));
    CHECK_THROWS_WITH(listen_at({"192.0.2.1", 0}), Catch::EndsWith("give an address of this host"));  // RFC 5737
}

TEST_CASE("joining: a crowd of silent strangers does not drive out who was there before") {
    const Socket listener = listen_at({"127.0.0.1", 0});
    const HostPort rendezvous = local_address(listener);
    Socket early = connect_to(rendezvous, seconds_from_now(patience));
    std::vector<Socket> strangers;
    for (int i = 0; i < 100; ++i) strangers.push_back(connect_to(rendezvous, seconds_from_now(patience)));
    auto joined = std::async(std::launch::async, [&] {
        return await_claims(listener, {0, 2}, 1, {}, right, seconds_from_now(patience)).size();
    });
    CHECK_NOTHROW(
        claim_place(std::move(early), {1, 2}, {0, rendezvous.text()}, {1, 0}, right, seconds_from_now(patience)));
    CHECK(joined.get() == 1);
}

TEST_CASE("joining: who did not come is told") {
    // Rank 0 waits longer where rank 2 is too slow to come in time.
    std::string told, other;
    HostPort rendezvous;
    for (double seconds = 1; seconds < patience; seconds *= 4) {
        Root root(4, seconds);
        rendezvous = root.rendezvous;
        error_of({{1, 4}, rendezvous, seconds}, wrong);
        other = error_of({{2, 4}, rendezvous, 2 * seconds}, right);
        told = root.error.get();
        if (told.find("ranks 1, 3 (1 ") != std::string::npos) break;
    }
    CHECK(told ==
          "rank 0 at " + rendezvous.text() +
              " timed out waiting for ranks 1, 3 (1 connections did not prove the job's secret): start all ranks "
              "with the same options, the same secret and an address of rank 0 that all can reach");
    CHECK(other == "rank 0 at " + rendezvous.text() +
                       " is gone: it ended, or timed out waiting for other ranks, before all had joined; see its last "
                       "messages, then start the job again");
}

TEST_CASE("joining: other numbers of ranks and a rank twice are told apart") {
    Root root(3);
    const std::string where = "rank 0 at " + root.rendezvous.text() + " cannot be joined: ";
    CHECK(error_of({{1, 4}, root.rendezvous, patience}, right) ==
          where + "its job does not have 4 ranks: start all with the same number of ranks");
    const auto join_as_1 = [&] { return error_of({{1, 3}, root.rendezvous, patience}, right); };
    auto one = std::async(std::launch::async, join_as_1);
    auto again = std::async(std::launch::async, join_as_1);
    // Whichever comes second is told at once; the other waits for rank 2.
    while (one.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready &&
           again.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
    }
    CHECK(error_of({{2, 3}, root.rendezvous, patience}, right).empty());
    CHECK(one.get() + again.get() == where + "rank 1 is there already: start each rank of the job once");
    CHECK(root.error.get().empty());
}

TEST_CASE("joining: who pretends to be rank 0 is found out") {
    const Socket listener = listen_at({"127.0.0.1", 0});
    const HostPort address = local_address(listener);
    auto join = std::async(std::launch::async, error_of, TcpPlace{{1, 2}, address, patience}, right, Socket());
    Socket socket;
    while (!socket) socket = accept_one(listener);
    const bool knows_protocol = GENERATE(true, false);
    std::array<std::byte, challenge_bytes> challenge{};
    if (knows_protocol) {
        const Root other(2, 0.1);
        const Socket listening = connect_to(other.rendezvous, seconds_from_now(patience));
        REQUIRE(receive_all(listening, challenge, seconds_from_now(patience)));
    }
    send_all(socket, challenge, seconds_from_now(patience));
    const std::array<std::byte, answer_bytes> answer{};
    send_all(socket, answer, seconds_from_now(patience));
    CHECK(join.get() == "rank 0 at " + address.text() + " cannot be joined: " +
                            (knows_protocol
                                 ? "it does not prove the job's secret: give both the same secret and options"
                                 : "what listens there is not a process of this version of narrows"));
}

TEST_CASE("joining: a proof that was overheard proves nothing") {
    // A tap between rank 1 and rank 0 that keeps what rank 1 says.
    Root root(3);
    const Socket tap = listen_at({"127.0.0.1", 0});
    auto honest =
        std::async(std::launch::async, error_of, TcpPlace{{1, 3}, local_address(tap), patience}, right, Socket());
    Socket to_rank;
    while (!to_rank) to_rank = accept_one(tap);
    const Socket to_root = connect_to(root.rendezvous, seconds_from_now(patience));
    std::array<std::byte, challenge_bytes> challenge{};
    std::array<std::byte, answer_bytes> answer{};
    std::array<std::byte, claim_bytes> claim{};
    REQUIRE(receive_all(to_root, challenge, seconds_from_now(patience)));
    REQUIRE(send_all(to_rank, challenge, seconds_from_now(patience)));
    REQUIRE(receive_all(to_rank, claim, seconds_from_now(patience)));
    SECTION("said again to another nonce") {
        const Socket again = connect_to(root.rendezvous, seconds_from_now(patience));
        REQUIRE(receive_all(again, challenge, seconds_from_now(patience)));
        REQUIRE(send_all(again, claim, seconds_from_now(patience)));
        CHECK_FALSE(receive_all(again, answer, seconds_from_now(patience)));
    }
    SECTION("said with another rank or port") {
        claim[GENERATE(0U, 12U)] ^= std::byte{2};
        REQUIRE(send_all(to_root, claim, seconds_from_now(patience)));
        CHECK_FALSE(receive_all(to_root, answer, seconds_from_now(patience)));
    }
    to_rank.close();
    CHECK_FALSE(honest.get().empty());
    auto one = std::async(std::launch::async, error_of, TcpPlace{{1, 3}, root.rendezvous, patience}, right, Socket());
    CHECK(error_of({{2, 3}, root.rendezvous, patience}, right).empty());
    CHECK(one.get().empty());
    CHECK(root.error.get().empty());
}

TEST_CASE("joining: another transport, or authentication on one side alone, is told on both sides") {
    const auto errors = [](Wire of_first, Wire of_other) {
        Root root(2, 1, of_first);
        const std::string other = error_of({{1, 2, false, of_other}, root.rendezvous, patience}, right);
        return std::pair{root.error.get(), other};
    };
    const auto [over_tcp, over_udp] = errors({.udp = false}, {.udp = true});
    CHECK_THAT(over_tcp, Catch::Contains("timed out waiting for rank 1 (rank 1 came over udp, this rank over tcp)"));
    CHECK_THAT(over_udp, Catch::EndsWith("it runs over tcp, this rank over udp: start all over the same transport"));
    const auto [with, without] = errors({.udp = true}, {.udp = true, .authenticated = false});
    CHECK_THAT(with, Catch::Contains("(rank 1 came without authentication, this rank with it)"));
    CHECK_THAT(without, Catch::EndsWith("it runs with authentication, this rank without: start all alike"));
}

TEST_CASE("joining: another version is told") {
    const Socket listener = listen_at({"127.0.0.1", 0});
    auto error = std::async(std::launch::async, [at = local_address(listener)] {
        return error_of({{1, 2}, at, patience}, right);
    });
    Socket accepted;
    while (!accepted) accepted = accept_one(listener);
    std::array<char, challenge_bytes> challenge{
        "narrows3"
        "0.0.1-\n"};
    REQUIRE(send_all(accepted, std::as_bytes(std::span(challenge)), seconds_from_now(patience)));
    accepted.close();
    CHECK_THAT(error.get(), Catch::Contains("cannot be joined: it is narrows 0.0.1-?, this is "));
}

TEST_CASE("joining: keys are the same at both ends, one for each direction and pair") {
    Socket listener = listen_at({"127.0.0.1", 0});
    const HostPort rendezvous = local_address(listener);
    const auto mesh_of = [&](int rank) {
        return join_mesh({{rank, 3, false, {.udp = true}}, rendezvous, patience}, right,
                         rank == 0 ? std::move(listener) : Socket());
    };
    std::vector<std::future<TcpMesh>> joining;
    for (int rank = 0; rank < 3; ++rank) joining.push_back(std::async(std::launch::async, mesh_of, rank));
    std::vector<TcpMesh> meshes;
    for (auto& one : joining) meshes.push_back(one.get());
    std::vector<Proof> keys;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            if (i == j) continue;
            const JoinedPeer &there = meshes[i].peers[j], &here = meshes[j].peers[i];
            CHECK(there.keys.out == here.keys.in);
            CHECK(there.keys.session == here.keys.session);
            CHECK(there.host.boot == ProcessHost::own().boot);
            CHECK(there.datagrams_at == local_address(meshes[j].datagrams).port);
            CHECK(std::ranges::find(keys, there.keys.out) == keys.end());
            keys.push_back(there.keys.out);
        }
    }
}

TEST_CASE("joining: an impossible place or address is refused") {
    CHECK(error_of({{3, 3}, {"127.0.0.1", 1}, 1}, right) == "there is no rank 3 of 3: ranks are 0 to 2");
    CHECK(error_of({{-1, 3}, {"127.0.0.1", 1}, 1}, right) == "there is no rank -1 of 3: ranks are 0 to 2");
    CHECK(error_of({{0, 0}, {"127.0.0.1", 1}, 1}, right) == "0 processes cannot run over TCP: give 1 to 4096");
    CHECK(error_of({{1, 2}, {"127.0.0.1", 1}, 0.1}, right) == "cannot connect to 127.0.0.1:1: Connection refused");
    CHECK_THAT(error_of({{1, 2}, {"no.such.host.invalid", 1}, 0.1}, right),
               Catch::StartsWith("host 'no.such.host.invalid' has no address ("));
}

TEST_CASE("addresses: are read as HOST:PORT") {
    CHECK(HostPort::parse("node7:7000").host == "node7");
    CHECK(HostPort::parse("node7:7000").port == 7000);
    CHECK(HostPort::parse("[fd00::1]:80").host == "fd00::1");
    CHECK(HostPort::parse("[fd00::1]:80").text() == "[fd00::1]:80");
    for (const std::string bad : {"", ":", "node7", "node7:", ":7000", "node7:0", "node7:65536", "node7:7x", "node7:-1",
                                  "fd00::1:80", "[]:80", "[node7]:80"}) {
        CHECK_THROWS_AS(HostPort::parse(bad), InputError);
    }
    CHECK_THROWS_WITH(
        HostPort::parse("node7"),
        "'node7' is not an address: write HOST:PORT, such as 10.0.0.1:7000 or [fd00::1]:7000, with a port "
        "from 1 to 65535");
}
