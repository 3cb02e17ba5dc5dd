#include "cli/message_run.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "run_narrows.hpp"

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

TEST_CASE("several that a launcher started do not measure alone beside each other") {
    const ScratchDirectory scratch;
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        setenv(variable, "3", 1);
        for (const char* command : {"run gups --ranks 4", "run sweep3d --ranks 4", "run ping-pong --protocol buffered",
                                    "calibrate --quick -o here.yaml", "demo"}) {
            CAPTURE(command, variable);
            const Ran ran = run_narrows(command);
            CHECK(ran.exit == 2);
            CHECK(ran.err == std::string("narrows: 3 of these were started by a launcher (") + variable +
                                 "), each to measure alone beside the others: add --transport mpi where the command "
                                 "has it, or start one\n");
        }
        setenv(variable, "1", 1);
        CHECK(run_narrows("run ping-pong --protocol buffered --bytes 8 --repeats 1").exit == 0);
        unsetenv(variable);
    }
    CHECK(scratch.files().empty());
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
