#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "calibrate/ranks/run_ended.hpp"
#include "calibrate/transport/processes.hpp"
#include "calibrate/transport/transport_error.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

using End = ProcessOutcome::End;

bool no_child_left() {
    return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

/// Runs `rank_one` in rank 1 of three; the others return "ok".
template <class Body>
std::vector<ProcessOutcome> run_three(Body rank_one) {
    return run_processes(3, [&](int rank) -> std::string {
        if (rank == 1) rank_one();
        return "ok";
    });
}

}  // namespace

TEST_CASE("processes: each rank is a process, and its result comes back whole") {
    const auto outcomes = run_processes(4, [](int rank) {
        return std::string(static_cast<std::size_t>(rank) * 300000, static_cast<char>('a' + rank)) +
               std::to_string(getpid());
    });
    REQUIRE(outcomes.size() == 4);
    for (std::size_t rank = 0; rank < 4; ++rank) {
        CHECK(outcomes[rank].end == End::returned);
        CHECK(outcomes[rank].text ==
              std::string(rank * 300000, static_cast<char>('a' + rank)) + std::to_string(outcomes[rank].process));
    }
    CHECK(result_of(outcomes) == std::to_string(outcomes[0].process));
    CHECK(no_child_left());
}

TEST_CASE("processes: how one ended is told from how the others did") {
    const auto killed = run_three([] { raise(SIGKILL); });
    CHECK(killed[1].end == End::killed);
    CHECK_THROWS_WITH(result_of(killed),
                      "rank 1 (process " + std::to_string(killed[1].process) + ") was killed by signal 9 (Killed)");
    const auto left = run_three([] { _exit(0); });
    CHECK_THROWS_WITH(result_of(left),
                      "rank 1 (process " + std::to_string(left[1].process) + ") ended without a message");
    const auto failed = run_three([] { throw std::runtime_error("no"); });
    CHECK(failed[0].end == End::returned);
    CHECK_THROWS_AS(result_of(failed), TransportError);
    CHECK_THROWS_WITH(result_of(failed), "rank 1: no");
    const auto misused = run_three([] { throw InputError("give a larger size"); });
    CHECK_THROWS_AS(result_of(misused), InputError);
    CHECK_THROWS_WITH(result_of(misused), "give a larger size");
    CHECK_THROWS_WITH(result_of(run_three([] { throw 5; })), "rank 1: an unknown error");
    CHECK(no_child_left());
}

TEST_CASE("processes: the failure nearest to the cause is told") {
    const auto outcomes = run_processes(4, [](int rank) -> std::string {
        if (rank == 0) throw RunEnded();
        if (rank == 1) throw TransportError("rank 2 is gone");
        if (rank == 2) throw std::runtime_error("the cause");
        return "ok";
    });
    CHECK(outcomes[0].end == End::cut_off);
    CHECK(outcomes[1].end == End::cut_off);
    CHECK_THROWS_WITH(result_of(outcomes), "rank 2: the cause");
}

TEST_CASE("processes: who goes on for long after a failure is ended") {
    const auto outcomes = run_processes(
        2,
        [](int rank) -> std::string {
            if (rank == 0) throw std::runtime_error("no");
            for (;;) pause();
        },
        0.2);
    CHECK(outcomes[1].end == End::given_up_on);
    CHECK_THROWS_WITH(result_of(outcomes), "rank 0: no");
    CHECK(no_child_left());
}

TEST_CASE("processes: they end with their parent") {
    // Orphans come to this process, which can so see them end.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t middle = fork();
    if (middle == 0) {
        run_processes(2, [&](int) -> std::string {
            const pid_t own = getpid();
            if (write(ends[1], &own, sizeof own) != sizeof own) _exit(1);
            for (;;) pause();
        });
        _exit(1);
    }
    std::array<pid_t, 2> orphans{};
    for (pid_t& orphan : orphans) REQUIRE(read(ends[0], &orphan, sizeof orphan) == sizeof orphan);
    kill(middle, SIGKILL);
    waitpid(middle, nullptr, 0);
    for (const pid_t orphan : orphans) {
        int status = 0;
        CHECK(waitpid(orphan, &status, 0) == orphan);
        CHECK(WIFSIGNALED(status));
    }
    close(ends[0]);
    close(ends[1]);
    CHECK(no_child_left());
}

#if !defined(__SANITIZE_THREAD__)
TEST_CASE("processes: are not started after threads") {
    std::jthread other([](const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
    });
    CHECK_THROWS_AS(run_processes(1, [](int) { return std::string(); }), std::logic_error);
}
#endif
