#include "data/workload_file.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "data/rank_messages.hpp"
#include "tests/error_of.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Catch::Matchers::Contains;

std::string program_error(const std::string& text) {
    return error_of([&] { parse_program(text, "w.yaml"); });
}

// The error of a phase below a good start; its text begins at column 5 of line 6.
std::string error_of_phase(const std::string& phase) {
    return program_error("name: w\nranks: grid 2\noptions:\n  n: {default: 8}\nphases:\n  - " + phase + "\n");
}

}  // namespace

TEST_CASE("workload file: names, options, phases and what overlaps") {
    const Program program = parse_program(
        "name: toy\nsource: by hand\nranks: grid 2\noptions: {n: {default: 8 KiB, help: a size}}\nphases:\n"
        "  - {name: rows, all-to-all: {along: 1, bytes: n / Px, algorithm: bruck}}\n"
        "  - {compute: {time: 3 us}, repeat: Py}\n  - barrier:\noverlap: [rows, compute]\n",
        "w.yaml");
    CHECK(program.name == "toy");
    CHECK(program.source == "by hand");
    CHECK(program.dimensions == 2);
    REQUIRE(program.options.size() == 1);
    CHECK(program.options[0].usual == Amount{8192, 0, 1});
    REQUIRE(program.phases.size() == 3);
    CHECK(program.phases[0].along == 0);
    CHECK(program.phases[0].algorithm == "bruck");
    CHECK(program.phases[1].name == "compute");
    CHECK(program.phases[1].repeat->text() == "Py");
    CHECK(program.phases[2].pattern->name == "barrier");
    CHECK(program.overlaps == std::vector<std::vector<std::string>>{{"rows", "compute"}});
}

TEST_CASE("workload file: what is wrong is told with its place and a remedy") {
    CHECK(program_error("") == "w.yaml:1:1: the file is empty: a workload needs a 'name: ...' and 'phases: ...'");
    CHECK(program_error("name: w\n") == "w.yaml:1:1: 'phases' is missing: add 'phases: ...'");
    CHECK(program_error("name: w\nnode: {clock: 1 GHz}\n") ==
          "w.yaml:2:1: 'node' is of a machine file, not of a workload's: give it by -m");
    CHECK(program_error("name: w\nphase: 3\n") == "w.yaml:2:1: unknown key 'phase', did you mean 'phases'?");
    CHECK_THAT(program_error("name: w\nphases: {a: b}\n"), Contains("w.yaml:2:1: 'phases' is a list"));
    CHECK_THAT(program_error("name: w\nphases: []\n"), Contains("w.yaml:2:1: 'phases' is empty: write '- {name: step"));
    CHECK_THAT(program_error("name: w\nranks: grid 4\nphases: []\n"),
               Contains("w.yaml:2:8: 'grid 4' is not an arrangement"));
    CHECK_THAT(program_error("name: w\noptions: {P: {default: 1}}\nphases: []\n"),
               Contains("'P' already is a name of the ranks"));
    CHECK_THAT(program_error("name: w\noptions: {a-b: {default: 1}}\nphases: []\n"),
               Contains("'a-b' cannot be a name"));
    CHECK_THAT(program_error("name: w\noptions: {a: 1}\nphases: []\n"),
               Contains("write '{default: 1024, help: what it is}'"));
    CHECK_THAT(program_error("name: w\noptions: {a: {default: 1 parsec}}\nphases: []\n"),
               Contains("w.yaml:2:24: unknown unit 'parsec'"));
    CHECK_THAT(error_of_phase("all-to-al: {bytes: 8 B}"),
               Contains("w.yaml:6:5: there is no pattern 'all-to-al', did you mean 'all-to-all'?"));
    CHECK_THAT(error_of_phase("all-to-all: {byte: 8 B}"),
               Contains("w.yaml:6:18: unknown key 'byte' in 'all-to-all', did you mean 'bytes'?"));
    CHECK_THAT(error_of_phase("all-to-all: {}"), Contains("'all-to-all' needs 'bytes': from each rank to each other"));
    CHECK_THAT(error_of_phase("all-to-all: {bytes: 8 B * m}"), Contains("w.yaml:6:25: there is no 'm'"));
    CHECK_THAT(error_of_phase("all-to-all: {bytes: 8 B, along: 3}"),
               Contains("'3' is not a dimension of the ranks' grid: write 1 to 2"));
    CHECK_THAT(error_of_phase("all-to-all: {bytes: 8 B, algorithm: brook}"), Contains("did you mean 'bruck'?"));
    CHECK_THAT(error_of_phase("shift: {bytes: 8 B, algorithm: ring}"), Contains("unknown key 'algorithm' in 'shift'"));
    CHECK_THAT(error_of_phase("{name: x}"), Contains("the phase has no pattern"));
    CHECK_THAT(error_of_phase("{barrier: {}, shift: {bytes: 1 B}}"),
               Contains("a phase has one pattern: 'barrier' or 'shift'"));
    CHECK_THAT(error_of_phase("permutation: {bytes: 8 B}"), Contains("'permutation' needs 'file'"));
    CHECK_THAT(error_of_phase("permutation: {bytes: 8 B, file: none.txt, along: 1}"),
               Contains("unknown key 'along' in 'permutation'"));
    CHECK_THAT(error_of_phase("matrix: {file: none.txt}"), Contains("none.txt"));
    CHECK_THAT(error_of_phase("compute: {}"), Contains("'compute' needs 'time', 'flops' or 'memory'"));
    CHECK_THAT(error_of_phase("compute: {time: 3 +}"), Contains("'3 +' is not an expression"));
    CHECK_THAT(error_of_phase("barrier:\n  - barrier:"),
               Contains("w.yaml:7:5: there already is a phase 'barrier': give this one another 'name'"));
    CHECK_THAT(error_of_phase("barrier:\noverlap: [barrier, stop]"),
               Contains("w.yaml:7:20: there is no phase 'stop' (there are: barrier)"));
    CHECK_THAT(error_of_phase("barrier:\noverlap: [barrier]"), Contains("phases overlap in twos or more"));
    CHECK_THAT(error_of_phase("barrier:\noverlap: barrier"), Contains("'overlap' is a list of phases"));
}

TEST_CASE("workload file: lines of messages") {
    const auto read = [](const std::string& text, PatternFile form) {
        std::string found;
        const std::string error = error_of([&] {
            const auto list = read_rank_messages(text, "m.txt", form);
            for (const auto& [from, to, amount] : list->messages) found += fmt::format("{}>{} {};", from, to, amount);
            found += fmt::format(" up to {}", list->largest);
        });
        return error == "no error" ? found : error;
    };
    CHECK(read("# from to\n0 1\n1\t2 # x\n\n2 0\n3 3\n", PatternFile::permutation) == "0>1 1;1>2 1;2>0 1; up to 3");
    CHECK(read("0 1 10\n0,1,0.5\n2 0 0\n", PatternFile::matrix) == "0>1 10.5; up to 2");
    CHECK_THAT(read("0 1\n2 1\n", PatternFile::permutation), Contains("m.txt:2:3: rank 1 receives twice"));
    CHECK_THAT(read("0 1\n0 2\n", PatternFile::permutation), Contains("m.txt:2:1: rank 0 sends twice"));
    CHECK_THAT(read("0 1 3\n", PatternFile::permutation), Contains("m.txt:1:5: a line is 'from to'"));
    CHECK_THAT(read("0 1\n", PatternFile::matrix), Contains("a line is 'from to amount'"));
    CHECK_THAT(read("0 -1 3\n", PatternFile::matrix), Contains("m.txt:1:3: '-1' is no rank"));
    CHECK_THAT(read("0 1 8 B\n", PatternFile::matrix), Contains("m.txt:1:7: a line is"));
    CHECK_THAT(read("0 1 -8\n", PatternFile::matrix), Contains("m.txt:1:5: an amount is a number from 0"));
    CHECK_THAT(read("0 0\n", PatternFile::permutation), Contains("there is no message"));
}

TEST_CASE("workload file: those shipped are read, and say where they are from") {
    const std::vector<std::string> names = workload_file_names();
    CHECK(names.size() == 9);
    for (const std::string& name : names) {
        CAPTURE(name);
        const Program program = load_program(name);
        CHECK_FALSE(program.source.empty());
        for (const ProgramOption& option : program.options) CHECK_FALSE(option.help.empty());
        const std::vector<int> grid(static_cast<std::size_t>(program.dimensions), 2);
        CHECK(phases_of(program, grid, {}).size() == program.phases.size());
    }
    CHECK_THROWS_AS(load_program("./there-is-none.yaml"), InputError);
}

}  // namespace narrows
