#include "cli/message_run.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "calibrate/ranks/cores.hpp"
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

TEST_CASE("a pair that shares a core is said to, and judges no fit") {
    const ScratchDirectory scratch;
    const std::string run = "run ping-pong --bytes 8..4KiB --repeats 2 ";
    const std::string shared =
        "Ranks that send to each other share a core: these are no times of messages between cores, and no fit is "
        "judged by them.\n";
    const Ran one = run_narrows(run + "--workers 1");
    CHECK(one.exit == 0);
    CHECK(one.out.find(shared) != std::string::npos);
    CHECK(one.out.find("not used in the fit") == std::string::npos);
    CHECK(json_from(run + "--workers 1").count("summary") == 0);
    CHECK(run_narrows(run + "--workers 1 -o x.yaml").exit == 2);
    CHECK(scratch.files().empty());
    if (Cores().count() == 1) return;
    for (const char* ranks : {"2", "3", "5", "8"}) {
        CAPTURE(ranks);
        const Ran several = run_narrows(run + "--ranks " + ranks);
        CHECK(several.out.find("share a core") == std::string::npos);
        CHECK(several.out.find("not used in the fit") != std::string::npos);
    }
    CHECK(run_narrows("run exchange --ranks 8 --bytes 8 --repeats 1").out.find("Some ranks that send to each other") !=
          std::string::npos);
}

}  // namespace
}  // namespace narrows
