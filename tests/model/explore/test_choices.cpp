#include <catch2/catch.hpp>

#include "model/explore/choices.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::vector<std::size_t> numbers_of(const std::vector<RankedChoice>& ranked) {
    std::vector<std::size_t> numbers;
    for (const RankedChoice& one : ranked) numbers.push_back(one.choice);
    return numbers;
}

}  // namespace

TEST_CASE("choices: the best first, equal ones in their order, those without a prediction left out") {
    const std::vector<double> values = {3, 1, 0, 3, 2};
    const auto outcome = [&values](std::size_t choice) -> Outcome {
        if (values[choice] == 0) throw InputError("impossible");
        return {values[choice], {}, ""};
    };
    const auto [rates, refusal] = ranked_choices(values.size(), outcome, true);
    CHECK(refusal == "impossible");
    CHECK(numbers_of(rates) == std::vector<std::size_t>{0, 3, 4, 1});
    CHECK(rates[0].like_best);
    CHECK_FALSE(rates[1].like_best);  // without intervals nothing is known of that
    CHECK(numbers_of(ranked_choices(values.size(), outcome, false).found) == std::vector<std::size_t>{1, 4, 0, 3});
    CHECK_THROWS_WITH(ranked_choices(
                          1, [](std::size_t) -> Outcome { throw InputError("none"); }, true),
                      "none");
}

TEST_CASE("choices: one is like the best where either interval has the other's value") {
    const std::vector<Outcome> outcomes = {
        {10, Interval{9, 11}, ""}, {9.5, Interval{9.4, 9.6}, ""}, {8, Interval{7, 10}, ""}, {8, Interval{7, 9.9}, ""}};
    const auto ranked = ranked_choices(
        outcomes.size(), [&](std::size_t choice) { return outcomes[choice]; }, true);
    CHECK(ranked.refusal.empty());
    std::vector<bool> alike;
    for (const RankedChoice& one : ranked.found) alike.push_back(one.like_best);
    CHECK(alike == std::vector<bool>{true, true, true, false});
}

}  // namespace narrows
