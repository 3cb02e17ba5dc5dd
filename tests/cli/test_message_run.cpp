#include "cli/message_run.hpp"

#include <catch2/catch.hpp>

namespace narrows {
namespace {

MessageRun run_of(double cpu_seconds, long switches) {
    MessageRun run;
    run.workers = 2;
    run.seconds = 1;
    run.cpu_seconds = cpu_seconds;
    run.involuntary_switches = switches;
    run.pinned = true;
    return run;
}

TEST_CASE("a run of messages that had its cores to itself is not called noisy") {
    CHECK(evidence_of_noise(run_of(1.99, 10), Transport::shared).empty());
}

TEST_CASE("a run of messages that shared its cores says so with numbers") {
    CHECK(evidence_of_noise(run_of(1.6, 700), Transport::shared) ==
          std::vector<std::string>{"a thread that never waits had its core for 80 % of the time",
                                   "threads were taken off their cores 700 times in 1.0 s"});
}

TEST_CASE("of threads that the system may move, and of processes, nothing is said") {
    MessageRun moved = run_of(1.6, 700);
    moved.pinned = false;
    CHECK(evidence_of_noise(moved, Transport::shared).empty());
    CHECK(evidence_of_noise(run_of(1.6, 700), Transport::tcp).empty());
}

}  // namespace
}  // namespace narrows
