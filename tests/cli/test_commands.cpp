#include <catch2/catch.hpp>

#include "cli/commands.hpp"
#include "run_narrows.hpp"

namespace narrows {

TEST_CASE("every example of every command runs as it stands", "[long]") {
    const ScratchDirectory scratch;
    for (const Command& command : commands()) {
        CAPTURE(command.name);
        CHECK_FALSE(command.examples.empty());
        if (command.measures) continue;  // many seconds each: a test of its own runs those
        for (const std::string& example : command.examples) {
            const Ran ran = run_narrows(example);
            CAPTURE(example, ran.err);
            CHECK(ran.exit == 0);
            CHECK(words_of(example).front() == command.name);
            CHECK((!ran.out.empty() || !ran.err.empty()));
        }
    }
}

TEST_CASE("the help of every command says what it does and shows its examples") {
    const Ran all = run_narrows("--help");
    CHECK(all.exit == 0);
    for (const Command& command : commands()) {
        const Ran ran = run_narrows(command.name + " --help");
        CAPTURE(command.name);
        CHECK(ran.exit == 0);
        CHECK(ran.err.empty());
        CHECK(all.out.find(command.name) != std::string::npos);
        CHECK(all.out.find(command.summary) != std::string::npos);
        CHECK(ran.out.find(command.summary) != std::string::npos);
        for (const std::string& example : command.examples) {
            CHECK(ran.out.find("narrows " + example) != std::string::npos);
        }
    }
}

TEST_CASE("the help of a workload has its examples alone, that of a file those of files") {
    const auto shows = [](const char* asked, const char* example) {
        return run_narrows(std::string(asked) + " --help").out.find(std::string("narrows ") + example) !=
               std::string::npos;
    };
    CHECK(shows("predict gups", "predict gups -m"));
    CHECK_FALSE(shows("predict gups", "predict sweep3d -m"));
    CHECK(shows("run allreduce", "run allreduce --algorithm"));
    CHECK_FALSE(shows("run allreduce", "run gups"));
    CHECK(shows("predict stencil", "predict fft-slabs -m"));
    CHECK_FALSE(shows("predict ./my.yaml", "predict gups -m"));
    CHECK(shows("predict", "predict gups -m"));
}

TEST_CASE("the help of an unknown workload or kernel is the error of its name") {
    for (const char* command : {"predict gupz", "report bluegene-l --workload gupz", "run gupz"}) {
        CAPTURE(command);
        const Ran ran = run_narrows(command);
        CHECK(ran.exit == 2);
        CHECK(ran.err.find(" 'gupz', did you mean 'gups'?") != std::string::npos);
        const Ran help = run_narrows(std::string(command) + " --help");
        CHECK(help.exit == 2);
        CHECK(help.out.empty());
        CHECK(help.err == ran.err);
    }
    CHECK(run_narrows("help predict gupz").err == run_narrows("predict gupz").err);
}

TEST_CASE("a run of one rank on one thread says so in the singular") {
    CHECK(
        run_narrows("run gups --variant sequential --table '64 KiB'").out.starts_with("gups sequential: 1 rank on 1 "));
    CHECK(run_narrows("run sweep3d --ranks 1 --workers 1 --cells 4x4x4 --iterations 1")
              .out.starts_with("sweep3d of 4x4x4 cells: 1 rank as 1x1 on 1 thread, "));
}

TEST_CASE("no arguments print the help") {
    CHECK(run_narrows("").out == run_narrows("--help").out);
    CHECK(run_narrows("").exit == 0);
}

TEST_CASE("every command tells of an unknown option, format and ending") {
    for (const Command& command : commands()) {
        CAPTURE(command.name);
        CHECK_THAT(refusal_of(command.name + " --no-such-option"), Catch::StartsWith("narrows: "));
    }
}

}  // namespace narrows
