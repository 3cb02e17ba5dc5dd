#include "cli/open_mpi_rules.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "run_narrows.hpp"

namespace narrows {
namespace {

using Catch::Contains;

// The numbers of a file of rules, as Open MPI reads them: without what is behind a #.
std::vector<std::int64_t> numbers_of(const std::string& text) {
    std::vector<std::int64_t> numbers;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        for (std::int64_t number = 0; words >> number;) numbers.push_back(number);
    }
    return numbers;
}

}  // namespace

TEST_CASE("rules for Open MPI: counts, numbers of algorithms and sizes that rise") {
    struct Expected {
        const char* asked;
        std::int64_t collective, ranks;
        std::vector<std::int64_t> algorithms;  // that may be chosen
    };
    for (const auto& [asked, collective, ranks, algorithms] :
         {Expected{"allreduce -m cluster-400g -n 64", 2, 64, {3, 4, 6}},
          Expected{"all-to-all -m cluster-400g -n 16 --ranks-per-node 4", 3, 64, {1, 2, 3}},
          Expected{"allgather -m cluster-400g -n 7", 0, 7, {2, 4}},
          Expected{"broadcast -m bluegene-p -n 64", 7, 64, {6, 9}},
          Expected{"reduce-scatter -m cluster-400g -n 8", 12, 8, {3}}}) {
        CAPTURE(asked);
        const Ran ran = run_narrows(std::string("tune ") + asked + " --format conf");
        REQUIRE(ran.exit == 0);
        const std::vector<std::int64_t> numbers = numbers_of(ran.out);
        REQUIRE(numbers.size() > 11);
        // Communicators of fewer ranks are Open MPI's.
        CHECK(std::vector<std::int64_t>(numbers.begin(), numbers.begin() + 10) ==
              std::vector<std::int64_t>{1, collective, 2, 1, 1, 0, 0, 0, 0, ranks});
        REQUIRE(numbers.size() == static_cast<std::size_t>(11 + 4 * numbers[10]));
        std::int64_t before = -1;
        for (std::size_t i = 11; i < numbers.size(); i += 4) {
            CHECK(numbers[i] > before);
            before = numbers[i];
            CHECK(std::ranges::find(algorithms, numbers[i + 1]) != algorithms.end());
            CHECK(numbers[i + 2] == 0);
            CHECK(numbers[i + 3] == 0);
        }
        CHECK(numbers[11] == 0);
    }
}

TEST_CASE("rules for Open MPI are those of tune's table, in the bytes that Open MPI counts") {
    // Both of these algorithms are Open MPI's.
    const nlohmann::json tuned = json_from("tune all-to-all -m cluster-400g -n 64")["algorithms"];
    const std::vector<std::int64_t> numbers =
        numbers_of(run_narrows("tune all-to-all -m cluster-400g -n 64 --format conf").out);
    REQUIRE(tuned.size() > 1);
    REQUIRE(numbers.size() == 11 + 4 * tuned.size());
    for (std::size_t i = 1; i < tuned.size(); ++i) {
        CHECK(numbers[11 + 4 * i] == 64 * tuned[i]["from"].get<std::int64_t>());
    }
}

TEST_CASE("rules for Open MPI: what it lacks is told") {
    CHECK_THAT(run_narrows("tune allreduce -m cluster-400g -n 64 --format conf").err,
               Contains("left out, as Open MPI has none like them: tree, node-first"));
    CHECK_THAT(run_narrows("tune allreduce -m cluster-400g -n 64 --bytes 8 --format conf").err,
               Contains("leave it out"));
}

}  // namespace narrows
