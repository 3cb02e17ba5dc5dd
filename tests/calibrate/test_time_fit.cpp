#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "calibrate/fit/time_fit.hpp"

namespace narrows {
namespace {

// Times of two costs, of which one is known where the other hardly counts.
std::vector<TimedCosts> times_of_two(double one, double other) {
    std::vector<TimedCosts> times;
    for (const double share : {0.0, 1.0, 10.0, 100.0}) times.push_back({{1, share}, 2, 2 + one + share * other, 0.1});
    return times;
}

TEST_CASE("costs of exact times are found, however different they are") {
    const TimeFit fit = fit_times(times_of_two(3, 1e-3), {});
    REQUIRE(fit.costs.size() == 2);
    CHECK(fit.costs[0].value == Approx(3));
    CHECK(fit.costs[1].value == Approx(1e-3));
    CHECK(fit.costs[0].low < 3);
    CHECK(fit.costs[0].high > 3);
    CHECK(fit.correlations[0][1] == Approx(fit.correlations[1][0]));
    CHECK(fit.correlations[0][1] < 0);  // what one takes the other does not
}

TEST_CASE("a time of one cost has a hand value") {
    // ln c = ln 2 with a deviation of 0.1: 1.96 * 0.1 * 2 to either side.
    const TimeFit fit = fit_times({{{1}, 0, 2, 0.1}}, {});
    REQUIRE(fit.costs.size() == 1);
    CHECK(fit.costs[0].value == Approx(2));
    CHECK(fit.costs[0].high - 2 == Approx(0.392).epsilon(1e-4));
    CHECK(fit.costs[0].low - 2 == Approx(-0.392).epsilon(1e-4));
}

TEST_CASE("a cost that no time has is that of the one it is tied to, less certain") {
    const TimeFit fit = fit_times({{{1, 0}, 0, 5, 0.1}, {{1, 0}, 0, 5, 0.1}}, {{0, 1}});
    REQUIRE(fit.costs.size() == 2);
    CHECK(fit.costs[1].value == Approx(5));
    CHECK(fit.costs[1].high - 5 > 5 * (fit.costs[0].high - 5));
}

TEST_CASE("a disturbed time hardly moves the costs") {
    std::vector<TimedCosts> times(9, TimedCosts{{1}, 0, 1, 0.1});
    times.push_back({{1}, 0, 10, 0.1});
    CHECK(fit_times(times, {}).costs.front().value == Approx(1).epsilon(0.02));  // the mean of logarithms is 1.26
}

TEST_CASE("costs are above zero where times are less than what is known of them") {
    const TimeFit fit = fit_times({{{1}, 2, 1.9, 0.1}, {{1}, 2, 1.9, 0.1}}, {});
    REQUIRE(fit.costs.size() == 1);
    CHECK(fit.costs.front().value < 1e-2);
    // A time of 2.3 would be two deviations above both.
    CHECK(fit.costs.front().high > 0.15);
    CHECK(fit.costs.front().high < 0.5);
}

TEST_CASE("fewer times than costs without ties determine none") {
    CHECK(fit_times({{{1, 1}, 0, 2, 0.1}}, {}).costs.empty());
    CHECK(fit_times({}, {}).costs.empty());
}

TEST_CASE("intervals of a cost hold the truth about as often as they say") {
    std::mt19937_64 random(7);
    std::normal_distribution<double> error(0, 0.1);
    int held = 0;
    constexpr int fits = 400;
    for (int i = 0; i < fits; ++i) {
        std::vector<TimedCosts> times = times_of_two(3, 0.1);
        for (const TimedCosts& each : times_of_two(3, 0.1)) times.push_back(each);
        for (TimedCosts& each : times) each.time *= std::exp(error(random));
        const Coefficient found = fit_times(times, {}).costs[1];
        held += found.low <= 0.1 && 0.1 <= found.high ? 1 : 0;
    }
    CHECK(held > 0.9 * fits);
    CHECK(held < fits);
}

}  // namespace
}  // namespace narrows
