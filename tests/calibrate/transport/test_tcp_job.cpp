#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "calibrate/ranks/process_waiter.hpp"
#include "calibrate/ranks/sanitizer.hpp"
#include "calibrate/transport/tcp_job.hpp"
#include "numbered_packets.hpp"
#include "tests/patience.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

using Clock = std::chrono::steady_clock;
using End = ProcessOutcome::End;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Sends words to all others for ever.
[[noreturn]] void chatter(TcpEndpoint& endpoint, int rank, const std::function<void(int)>& between) {
    for (int round = 0;; ++round) {
        const std::uint64_t word = 1;
        for (int to = 0; to < endpoint.processes(); ++to) {
            endpoint.try_send({1, rank, to, 8}, {&word, 8});
        }
        endpoint.poll([](PacketHeader, const std::byte*) {});
        between(round);
    }
}

bool no_child_left() {
    return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

/// Moments of several processes, each set by one and seen by all.
class SharedMoments {
  public:
    explicit SharedMoments(int processes)
        : bytes_(static_cast<std::size_t>(processes) * sizeof(Clock::time_point)),
          when_(static_cast<Clock::time_point*>(
              mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
        REQUIRE(when_ != MAP_FAILED);
    }
    SharedMoments(const SharedMoments&) = delete;
    SharedMoments& operator=(const SharedMoments&) = delete;
    ~SharedMoments() { munmap(when_, bytes_); }

    void is_now(int process) const { when_[process] = Clock::now(); }
    /// From the moment of one process to that of another.
    double seconds(int from, int to) const { return std::chrono::duration<double>(when_[to] - when_[from]).count(); }

  private:
    std::size_t bytes_;
    Clock::time_point* when_;
};

/// Survivors end by themselves, however slow the machine is.
TcpOptions patient_options(Wire wire = {}) {
    TcpOptions options;
    options.wire = wire;
    options.grace_seconds = patience;
    return options;
}

}  // namespace

TEST_CASE("TCP job: packets of random sizes between all come in order and whole") {
    const auto [ranks, packets] = GENERATE(std::pair{1, 3000U}, std::pair{2, 30000U}, std::pair{3, 20000U},
                                           std::pair{5, 10000U}, std::pair{8, 6000U});
    const std::size_t buffer = GENERATE(std::size_t{0}, TcpEndpoint::default_send_buffer_bytes);
    const auto body = [packets = packets](TcpEndpoint& endpoint, int) {
        ProcessWaiter waiter;
        return exchange_numbered(endpoint, packets, waiter);
    };
    TcpOptions options;
    options.send_buffer_bytes = buffer;
    options.wire =
        GENERATE(Wire{}, Wire{.authenticated = false}, Wire{.udp = true}, Wire{.udp = true, .authenticated = false});
    for (const ProcessOutcome& outcome : run_tcp_processes(ranks, body, options)) {
        CHECK(outcome.end == End::returned);
        CHECK(outcome.text == "all " + std::to_string(packets - packets % static_cast<unsigned>(ranks)));
    }
    CHECK(no_child_left());
}

TEST_CASE("TCP job: a killed process is soon an error of every survivor, and of the job") {
    const int ranks = GENERATE(2, 5);
    const bool talking = GENERATE(true, false);
    const bool udp = GENERATE(false, true);
    const SharedMoments ends(ranks);  // of the killed, and of the others that know of it
    const auto talk = [&](TcpEndpoint& endpoint, int rank) {
        chatter(endpoint, rank, [&](int round) {
            if (rank == 1 && round == 2000) {
                ends.is_now(rank);
                raise(SIGKILL);
            }
            if (!talking && rank != 1) {
                for (;;) endpoint.poll([](PacketHeader, const std::byte*) {});
            }
        });
    };
    const auto body = [&](TcpEndpoint& endpoint, int rank) -> std::string {
        try {
            talk(endpoint, rank);
        } catch (const TransportError&) {
            ends.is_now(rank);
            throw;
        }
        return {};
    };
    const auto outcomes = run_tcp_processes(ranks, body, patient_options({.udp = udp}));
    for (int rank = 0; rank < ranks; ++rank) {
        const ProcessOutcome& outcome = outcomes[static_cast<std::size_t>(rank)];
        CAPTURE(rank, outcome.text);
        if (rank == 1) {
            CHECK(outcome.end == End::killed);
            CHECK(outcome.signal == SIGKILL);
        } else {
            CHECK(outcome.end == End::cut_off);
            CHECK_THAT(outcome.text, Catch::StartsWith("rank 1 at 127.0.0.1:"));
            // What survivors are promised, by their own clocks: how long their processes then take to end is not.
            if (!sanitized) CHECK(ends.seconds(1, rank) < 5);
        }
    }
    CHECK_THROWS_WITH(result_of(outcomes),
                      "rank 1 (process " + std::to_string(outcomes[1].process) + ") was killed by signal 9 (Killed)");
    CHECK(no_child_left());
}

TEST_CASE("TCP job: a stopped process is an error when patience with it ends, not a hang") {
    const auto body = [](TcpEndpoint& endpoint, int rank) -> std::string {
        if (rank == 1) raise(SIGSTOP);
        ProcessWaiter waiter({.patience_seconds = 0.3});
        for (;;) waiter.yield(endpoint.poll([](PacketHeader, const std::byte*) {}));
    };
    TcpOptions options;
    options.grace_seconds = 0.3;
    const auto outcomes = run_tcp_processes(2, body, options);
    CHECK(outcomes[1].end == End::given_up_on);
    CHECK_THROWS_WITH(result_of(outcomes),
                      Catch::StartsWith("rank 0: nothing was received for 0.3 s, though all peers"));
    CHECK(no_child_left());
}

TEST_CASE("TCP job: a process that is silent for five seconds is named by all others") {
    constexpr int ranks = 3;
    const auto [talking, udp] = GENERATE(std::pair{true, true}, std::pair{false, false});
    const SharedMoments ends(ranks);
    const auto body = [&, talking = talking](TcpEndpoint& endpoint, int rank) -> std::string {
        try {
            chatter(endpoint, rank, [&](int round) {
                if (rank == 1 && round == 1000) {
                    ends.is_now(rank);
                    raise(SIGSTOP);
                }
                for (ProcessWaiter waiter; !talking && rank != 1;) {
                    waiter.yield(endpoint.poll([](PacketHeader, const std::byte*) {}));
                    endpoint.rest();
                }
            });
        } catch (const TransportError&) {
            ends.is_now(rank);
            throw;
        }
    };
    TcpOptions options = patient_options({.udp = udp});
    options.grace_seconds = 3;  // for the stopped one, which does not end by itself
    const auto outcomes = run_tcp_processes(ranks, body, options);
    for (const int rank : {0, 2}) {
        const ProcessOutcome& outcome = outcomes[static_cast<std::size_t>(rank)];
        CAPTURE(rank, outcome.text, udp, talking);
        CHECK(outcome.end == End::cut_off);
        CHECK_THAT(outcome.text, Catch::StartsWith("rank 1 at 127.0.0.1:"));
        if (!sanitized) CHECK(ends.seconds(1, rank) < 5);
    }
}

TEST_CASE("TCP job: a process that computes for longer is not silent") {
    const bool udp = GENERATE(false, true);
    const auto body = [](TcpEndpoint& endpoint, int rank) -> std::string {
        if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(6000));
        ProcessWaiter waiter;
        return exchange_numbered(endpoint, 100, waiter);
    };
    for (const ProcessOutcome& outcome : run_tcp_processes(3, body, patient_options({.udp = udp}))) {
        CHECK(outcome.text == "all 99");
    }
}

// In a large job on few cores a process may have all its connections seconds before another has.
TEST_CASE("TCP job: a process that has not yet joined all is not silent") {
    Socket listener = listen_at({"127.0.0.1", 0});
    const HostPort rendezvous = local_address(listener);
    const auto body = [&](int rank) {
        Socket own = std::move(listener);
        if (rank != 0) own.close();
        TcpMesh mesh = join_mesh({{rank, 2}, rendezvous, patience}, JobSecret::of({}), std::move(own));
        if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(4500));
        TcpEndpoint endpoint(std::move(mesh), 0);
        ProcessWaiter waiter;
        std::string received = exchange_numbered(endpoint, 100, waiter);
        endpoint.finish();
        return received;
    };
    for (const ProcessOutcome& outcome : run_processes(2, body)) CHECK(outcome.text == "all 100");
}

TEST_CASE("TCP job: a process that dies while the others finish is their error too") {
    const auto body = [](TcpEndpoint& endpoint, int rank) -> std::string {
        if (rank == 2) {
            const auto begin = Clock::now();
            while (seconds_since(begin) < 0.1) endpoint.poll([](PacketHeader, const std::byte*) {});
            raise(SIGKILL);
        }
        return "done";
    };
    const auto outcomes = run_tcp_processes(3, body, patient_options());
    for (const std::size_t rank : {0U, 1U}) {
        CHECK(outcomes[rank].end == End::cut_off);
        CHECK_THAT(outcomes[rank].text, Catch::StartsWith("rank 2 at 127.0.0.1:"));
    }
}

TEST_CASE("TCP job: a process that dies before all have come does not leave the others waiting") {
    Socket listener = listen_at({"127.0.0.1", 0});
    const HostPort rendezvous = local_address(listener);
    const auto body = [&](int rank) -> std::string {
        if (rank == 2) raise(SIGKILL);
        Socket own = std::move(listener);
        if (rank != 0) own.close();
        join_mesh({{rank, 3}, rendezvous, patience}, JobSecret::of({}), std::move(own));
        return "ok";
    };
    const auto outcomes = run_processes(3, body, 0.3);
    for (const std::size_t rank : {0U, 1U}) CHECK(outcomes[rank].end == End::given_up_on);
    CHECK(outcomes[2].end == End::killed);
    CHECK_THROWS_WITH(result_of(outcomes), Catch::Contains("was killed by signal 9"));
}

TEST_CASE("TCP job: what one rank got wrong is the job's error, not that others lost it") {
    const auto run = [](auto fail) {
        const auto body = [&](TcpEndpoint& endpoint, int rank) -> std::string {
            chatter(endpoint, rank, [&](int round) {
                if (rank == 1 && round == 100) fail();
            });
        };
        return run_tcp_processes(3, body, patient_options());
    };
    const auto misused = run([] { throw InputError("give a smaller table"); });
    CHECK(misused[0].end == End::cut_off);
    CHECK(misused[2].end == End::cut_off);
    CHECK_THAT(misused[2].text, Catch::StartsWith("rank 1 at 127.0.0.1:"));
    CHECK_THROWS_AS(result_of(misused), InputError);
    CHECK_THROWS_WITH(result_of(misused), "give a smaller table");
    CHECK_THROWS_WITH(result_of(run([] { throw std::runtime_error("out of cheese"); })), "rank 1: out of cheese");
}

TEST_CASE("TCP job: ranks that finish early wait for the others, who may still send to them") {
    const auto outcomes = run_tcp_processes(3, [](TcpEndpoint& endpoint, int rank) -> std::string {
        if (rank != 0) return "early";
        const std::vector<std::byte> data(8000);
        const auto begin = Clock::now();
        while (seconds_since(begin) < 0.3) {
            endpoint.try_send({1, 0, 1, 8000}, {data.data(), 8000});
            endpoint.poll([](PacketHeader, const std::byte*) {});
        }
        return "late";
    });
    CHECK(result_of(outcomes) == "late");
    CHECK(outcomes[1].text == "early");
}

TEST_CASE("TCP job: processes started one by one meet at the rendezvous") {
    char path[] = "/tmp/narrows-secret-XXXXXX";
    const int file = mkstemp(path);
    REQUIRE(write(file, "a secret of the users own\n", 26) == 26);
    close(file);
    Socket probe = listen_at({"127.0.0.1", 0});
    const HostPort rendezvous = local_address(probe);
    probe.close();
    const auto outcomes = run_processes(4, [&](int rank) {
        const auto body = [&rendezvous](TcpEndpoint& endpoint, int) -> std::string {
            ProcessWaiter waiter;
            std::string exchanged = exchange_numbered(endpoint, 500, waiter);
            // Who comes for the next run must not be taken into this one.
            try {
                connect_to(rendezvous, seconds_from_now(0.05));
            } catch (const TransportError&) {
                return exchanged;
            }
            return "somebody still listens";
        };
        return run_tcp_rank({{rank, 4}, rendezvous, patience}, JobSecret::from_file(path), body);
    });
    unlink(path);
    for (const ProcessOutcome& outcome : outcomes) CHECK(outcome.text == "all 500");
}

TEST_CASE("TCP job: without ranks there is none") {
    const TcpBody body = [](TcpEndpoint&, int) { return std::string(); };
    CHECK_THROWS_AS(run_tcp_processes(0, body), InputError);
}
