#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "calibrate/ranks/process_waiter.hpp"
#include "calibrate/ranks/sanitizer.hpp"
#include "calibrate/transport/mpi_endpoint.hpp"
#include "messages_between_processes.hpp"
#include "numbered_packets.hpp"
#include "tests/calibrate/messaging/stress_report.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

/// MPI starts but once in a program, and ends with it.
const MpiSession& session() {
    static const MpiSession only;
    return only;
}

void complain(const std::string& text) {
    std::cerr << text << std::endl;
}

/// Random messages between all ranks. A rank that receives a wrong one ends all.
void exchange(const ProcessExchange<MpiEndpoint>& random, std::uint32_t messages, std::uint64_t seed) {
    const auto body = [&](MpiEndpoint& endpoint, int) { return std::to_string(random.run(endpoint, messages, seed)); };
    const std::string received = run_mpi_rank(session(), body, complain);
    CHECK(std::stoul(received) > messages / static_cast<unsigned>(session().ranks()) / 2);
}

/// Runs until another rank ends it, or `end_all` does.
template <class EndAll>
void run_until_ended(const EndAll& end_all) {
    run_mpi_rank(
        session(),
        [&](MpiEndpoint& endpoint, int rank) -> std::string {
            const std::uint64_t word = 1;
            for (int round = 0;; ++round) {
                endpoint.try_send({1, rank, (rank + 1) % endpoint.processes(), 8}, {&word, 8});
                endpoint.poll([](PacketHeader, const std::byte*) {});
                if (rank == 1 && round == 1000) end_all();
            }
        },
        complain);
}

}  // namespace

TEST_CASE("MPI endpoint: packets of random sizes between all come in order and whole", "[packets]") {
    const int slots = GENERATE(64, 1);
    MpiEndpoint endpoint(session(), slots);
    ProcessWaiter waiter;
    CHECK(endpoint.processes() == session().ranks());
    CHECK(endpoint.process() == session().rank());
    CHECK(exchange_numbered(endpoint, 24000, waiter) == "all 24000");
    endpoint.finish();
}

TEST_CASE("MPI endpoint: takes nothing when its pool is empty", "[packets]") {
    if (session().ranks() < 2) return;
    constexpr auto silence = std::chrono::milliseconds(300);
    constexpr int most = 100000;
    const auto begin = std::chrono::steady_clock::now();
    MpiEndpoint endpoint(session(), 4);
    if (endpoint.process() != 0) {
        std::this_thread::sleep_for(silence);
    } else {
        const std::vector<std::byte> data(most_packet_bytes);
        // Packets that MPI does not keep for their receiver stay in the pool until that polls.
        int taken = 0;
        while (taken < most && endpoint.try_send({1, 0, 1, most_packet_bytes}, {data.data(), most_packet_bytes})) {
            ++taken;
        }
        CHECK(taken >= 4);
        const bool nobody_polled = std::chrono::steady_clock::now() - begin < silence;
        if (nobody_polled) CHECK(taken < most);
    }
    endpoint.finish();
}

TEST_CASE("MPI endpoint: ranks that finish early wait for the others, who may still send to them", "[packets]") {
    const std::string result = run_mpi_rank(
        session(),
        [](MpiEndpoint& endpoint, int rank) -> std::string {
            const std::vector<std::byte> data(8000);
            const auto begin = std::chrono::steady_clock::now();
            const auto to = endpoint.processes() - 1;
            while (rank == 0 && std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(200)) {
                endpoint.try_send({1, 0, to, 8000}, {data.data(), 8000});
                endpoint.poll([](PacketHeader, const std::byte*) {});
            }
            return "done";
        },
        complain);
    CHECK(result == "done");
}

TEST_CASE("messages over MPI: by every protocol what is delivered is what was sent, in order", "[messages]") {
    const int ranks = session().ranks();
    if (ranks < 2) return;
    const std::uint32_t messages = sanitized ? 3000 : ranks == 2 ? 100000 : 20000;
    std::uint64_t seed = 41;
    for (const auto& random : process_exchanges<MpiEndpoint>()) {
        CAPTURE(random.protocol);
        exchange(random, messages, seed++);
    }
}

// Hidden, as it takes minutes: the target `stress` runs it, with a thousandth of what shared memory has.
TEST_CASE("stress: by every protocol over MPI what is delivered is what was sent", "[.][stress]") {
    const auto exchanges = process_exchanges<MpiEndpoint>();
    const std::uint64_t share = stress_messages() / 1000 / exchanges.size() + 1;
    std::uint64_t seed = 3000;
    for (const auto& random : exchanges) {
        const StressLine line(random.protocol, "MPI", session().ranks());
        exchange(random, static_cast<std::uint32_t>(share), seed++);
        if (session().rank() == 0) line.print(share);
    }
}

TEST_CASE("MPI endpoint: an error of one rank ends all, and says so", "[throws]") {
    run_until_ended([] { throw std::runtime_error("out of cheese"); });
}

TEST_CASE("MPI endpoint: misuse in one rank ends all, and says so", "[misuse]") {
    run_until_ended([] { throw InputError("give a smaller table"); });
}

TEST_CASE("MPI endpoint: a killed rank ends all", "[killed]") {
    run_until_ended([] { raise(SIGKILL); });
}
