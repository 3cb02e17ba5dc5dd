#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "data/benchmark_output.hpp"
#include "data/csv.hpp"
#include "data/machine_file.hpp"
#include "data/workload_file.hpp"
#include "error_text.hpp"
#include "tests/error_cases.hpp"

namespace narrows {

TEST_CASE("what is wrong with a file is told with its place and what to do") {
    using Read = std::function<void(const std::string& text, const std::string& file)>;
    const std::map<std::string, Read> readers = {
        {"machine", [](const auto& text, const auto& file) { parse_machine(text, file, "x"); }},
        {"workload", [](const auto& text, const auto& file) { parse_program(text, file); }},
        {"csv", [](const auto& text, const auto& file) { parse_csv(text, file); }},
        {"benchmark", [](const auto& text, const auto& file) { parse_benchmarks(text, file); }}};
    for (const auto& [name, read] : readers) {
        const std::vector<ErrorCase> cases = error_cases(fmt::format("{}/{}.txt", NARROWS_FILE_ERRORS, name));
        CHECK(cases.size() > 5);
        for (const ErrorCase& one : cases) {
            CAPTURE(name, one.text);
            CHECK(error_text([&, &read = read] { read(one.text, "x"); }) ==
                  fmt::format("x:{}\n{}\n{:>{}}", one.error, one.line, '^', one.column));
        }
    }
}

TEST_CASE("stages of one's own and quotes within quotes are no errors") {
    for (const std::string own : {"send", "receive", "core-0", "copy", "far-link", "ring", "route", "sink", "links"}) {
        CHECK(machine_error("name: A\nnode: {links: {ring: {bandwidth: 1 GB/s}}}\npaths:\n  wire:\n    " + own +
                            ": {overhead: 1 ns}\n") == "no error");
    }
    CHECK(machine_error("name: 'it''s \"'\nnode: {\"clock\": \"1 GHz\"}\n") == "no error");
}

TEST_CASE("nesting and size have limits") {
    std::string deep = "name: A\nnode: ";
    for (int i = 0; i < 40; ++i) deep += "{a: ";
    CHECK(machine_error(deep).find("maps nested deeper than 32: no file needs that") != std::string::npos);
    CHECK(machine_error("name: A\n#" + std::string(std::size_t{4} << 20, 'x')) ==
          "x.yaml has 4194313 bytes: a machine file of more than 4 MiB is not read");
    CHECK(machine_error("name: A\n" + std::string(10001, 'x')) ==
          "x.yaml:2:1: a line of 10001 bytes: write at most 10000\n" + std::string(10001, 'x') + "\n^");
    std::string folded = "name: A\nsource:\n";
    for (int i = 0; i < 2000; ++i) folded += "  words\n";
    CHECK(machine_error(folded) == "x.yaml:3:3: a text of 11999 bytes: write at most 10000\n  words\n  ^");
    std::string many = "name: A\nmessaging:\n";
    for (int i = 0; i < 10001; ++i) many += "  m" + std::to_string(i) + ": {barrier: 1 us}\n";
    CHECK(machine_error(many) ==
          "x.yaml:10003:12: more than 10000 values: no machine needs that\n  m10000: {barrier: 1 us}\n           ^");
}

TEST_CASE("a file that cannot be read has no line") {
    CHECK(error_text([] { read_machine("none.yaml"); }) ==
          "cannot read 'none.yaml' (No such file or directory): check its name and permissions");
}

}  // namespace narrows
