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

TEST_CASE("workload file: lines of messages") {
    CHECK_THROWS_WITH(parse_program("name: w\nphases:\n  - matrix: {file: none.txt}\n", "w.yaml"),
                      Contains("none.txt"));
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
