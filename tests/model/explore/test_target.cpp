#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "model/explore/reigns.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// A rate that follows the variable, 10 % around it, from 1 on; above 8 something else holds it back.
Outcome rate_along(double value) {
    if (value < 1) throw InputError("below 1");
    const double rate = std::min(value, 8.0);
    return {rate, Interval{0.9 * rate, 1.1 * rate}, value <= 8 ? "processor" : "network"};
}

constexpr Surroundings around = {2, 0.5, 64, false};

}  // namespace

TEST_CASE("target: the value that just reaches it, with the values of the prediction's own interval") {
    const Target target{4, false};
    REQUIRE(solved_value(rate_along, around, target));
    CHECK(*solved_value(rate_along, around, target) == Approx(4).epsilon(1e-9));
    const SolutionEnds ends = solution_ends(rate_along, around, target, 4);
    CHECK(ends.low.value() == Approx(4 / 1.1).epsilon(1e-9));
    CHECK(ends.high.value() == Approx(4 / 0.9).epsilon(1e-9));
    // Of the lower end 7.2 is the most.
    const SolutionEnds half = solution_ends(rate_along, around, {7.9, false}, 7.9);
    CHECK(half.low.value() == Approx(7.9 / 1.1).epsilon(1e-9));
    CHECK_FALSE(half.high);
    const auto exact = [](double value) { return Outcome{value, {}, "processor"}; };
    CHECK_FALSE(solution_ends(exact, around, target, 4).low);
}

TEST_CASE("target: ends of a time's interval that falls with the variable are put in order") {
    const auto time = [](double value) { return Outcome{8 / value, Interval{7 / value, 9 / value}, "processor"}; };
    const SolutionEnds ends = solution_ends(time, around, {2, true}, 4);
    CHECK(ends.low.value() == Approx(3.5).epsilon(1e-9));
    CHECK(ends.high.value() == Approx(4.5).epsilon(1e-9));
}

TEST_CASE("target: where no value reaches it, the best that was tried, and whether the result follows at all") {
    CHECK_FALSE(solved_value(rate_along, around, {9, false}));
    const OutOfReach found = out_of_reach(rate_along, around, {9, false});
    CHECK(found.follows);
    CHECK(rate_along(found.best).value == 8);
    const OutOfReach constant = out_of_reach([](double) { return Outcome{1, {}, "x"}; }, around, {9, false});
    CHECK_FALSE(constant.follows);
    CHECK(constant.best == around.now);
}

TEST_CASE("reigns: of one rival its bottlenecks, of several the best, without the values that one cannot have") {
    const Range range{0.25, 64, false};
    const auto alone = reigns_along({{"only", rate_along}}, true, range);
    REQUIRE(alone.size() == 2);
    CHECK(alone[0].what == "processor");
    CHECK(alone[0].from >= 1);
    CHECK(alone[0].to == Approx(8).epsilon(1e-9));
    CHECK(alone[1].what == "network");
    CHECK(alone[1].to == 64);
    const auto steady = [](double) { return Outcome{4, {}, "disk"}; };
    const auto both = reigns_along({{"steady", steady}, {"rising", rate_along}}, true, range);
    REQUIRE(both.size() == 2);
    CHECK(both[0].what == "steady");
    CHECK(both[1].what == "rising");
    CHECK(both[1].from == Approx(4).epsilon(1e-9));
    CHECK(both[1].value == Approx(4).epsilon(1e-9));
    // Times: less is better.
    CHECK(reigns_along({{"steady", steady}, {"rising", rate_along}}, false, range)[0].what == "rising");
    CHECK_THROWS_WITH(reigns_along({{"only", rate_along}}, true, {0.1, 0.9, false}), "below 1");
}

TEST_CASE("reigns: along values alone they begin and end at some of these") {
    const auto doubled = [](double place) { return std::exp2(place); };
    const auto found = reigns_along({{"only", rate_along}}, true, {0, 5, true}, doubled);
    REQUIRE(found.size() == 2);
    CHECK(found[0].from == 1);
    CHECK(found[0].to == 8);
    CHECK(found[1].from == 16);
    CHECK(found[1].to == 32);
}

}  // namespace narrows
