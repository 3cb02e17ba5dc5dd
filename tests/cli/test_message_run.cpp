#include "cli/message_run.hpp"

#include <fmt/format.h>

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
    run.awake_seconds = 2;
    run.involuntary_switches = switches;
    run.own_cores = true;
    return run;
}

TEST_CASE("several that a launcher started do not measure alone beside each other") {
    const ScratchDirectory scratch;
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        setenv(variable, "3", 1);
        for (const char* command : {"run gups --ranks 4", "run sweep3d --ranks 4", "run ping-pong --protocol buffered",
                                    "calibrate --quick -o here.yaml", "demo"}) {
            CAPTURE(command, variable);
            CHECK(refusal_of(command) ==
                  std::string("narrows: a launcher started 3 of these (") + variable +
                      "), and each would measure by itself: add --transport mpi where the command "
                      "has it, or start one\n");
        }
        setenv(variable, "1", 1);
        CHECK(run_narrows("run ping-pong --protocol buffered --bytes 8 --repeats 1").exit == 0);
        unsetenv(variable);
    }
    CHECK(scratch.files().empty());
}

TEST_CASE("a run of messages that had its cores to itself is not called noisy") {
    CHECK(evidence_of_noise(run_of(1.99, 10)).empty());
}

TEST_CASE("a run of messages that shared its cores says so with numbers") {
    CHECK(evidence_of_noise(run_of(1.6, 700)) ==
          std::vector<std::string>{"a thread that never waits had its core for 80 % of the time",
                                   "threads were preempted 700 times in 1.0 s"});
}

TEST_CASE("of workers that share cores nothing is said, and of those that slept not that they did") {
    MessageRun moved = run_of(1.6, 700);
    moved.own_cores = false;
    CHECK(evidence_of_noise(moved).empty());
    MessageRun slept = run_of(1.6, 10);
    slept.awake_seconds = 1.62;
    CHECK(evidence_of_noise(slept).empty());
}

TEST_CASE("sizes that a link is too slow for are left out, and named with the option that measures them") {
    OptionWords words;
    words.workload = "ping-pong";
    MessageOptions options = message_options(words, 0);
    CHECK(left_out_sizes(words, options).empty());
    CHECK(left_out_remark(words, options).empty());
    options.largest = std::size_t{1} << 20;
    CHECK(left_out_sizes(words, options) == std::vector<std::size_t>{2097152, 4194304});
    CHECK(left_out_remark(words, options) ==
          "Left out because they take long: 2097152, 4194304 B. --bytes measures them.");
    CHECK(asked_sizes(words, options).back() == 1048576);
    CHECK(measured_sizes(words, options).back() == 1048576);
}

TEST_CASE("a block of each two ranks takes 256 MiB by default at most") {
    OptionWords words;
    CLI::App app;
    words.add_options(app, kernel_options());
    words.workload = "all-to-all";
    const auto largest = [&words](const char* ranks) {
        words["--ranks"] = ranks;
        return message_options(words, 0).sizes.back();
    };
    CHECK(largest("2") == 4194304);
    CHECK(largest("16") == 1048576);
    CHECK(largest("1024") == 256);
    CHECK(largest("65536") == 8);
    words.workload = "broadcast";
    CHECK(largest("1024") == 4194304);
}

TEST_CASE("one sample has no interval") {
    const nlohmann::json json = json_from("run ping-pong --bytes 8 --repeats 1");
    CHECK(json.at("points").at(0).at("low").is_null());
    CHECK(json.at("points").at(0).at("high").is_null());
    CHECK(json.at("result").at("low").is_null());
    CHECK(json_from("run overlap --bytes 8 --repeats 1").at("points").at(1).at("high").is_null());
    CHECK(json_from("run ping-pong --bytes 8 --repeats 2").at("result").at("low").is_number());
}

TEST_CASE("noise and processor time are told of processes too, where they have a core each") {
    for (const char* ranks : {"2", "32"}) {
        const nlohmann::json json = json_from(fmt::format("run barrier --transport tcp --repeats 2 --ranks {}", ranks));
        CHECK(json.at("cpu_seconds").get<double>() > 0);
        CHECK(json.at("involuntary_switches").is_number());
        CHECK(json.at("noise").is_array() == (std::atoi(ranks) <= Cores().count()));
    }
}

TEST_CASE("a pair that shares a core is said to, and judges no fit") {
    const ScratchDirectory scratch;
    const std::string run = "run ping-pong --bytes 8..4KiB --repeats 2 ";
    const std::string shared =
        "Ranks that send to each other share a core: these are not times of messages between cores, and the fit is not "
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
