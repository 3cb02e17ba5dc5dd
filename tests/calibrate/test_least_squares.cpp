#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "calibrate/fit/least_squares.hpp"

namespace narrows {
namespace {

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("a line through exact points is found exactly") {
    std::vector<Observation> line;
    for (const double x : {1.0, 2.0, 5.0}) line.push_back({{1, x}, 3 + 2 * x, 0.1});
    const LinearFit fit = least_squares(line);
    REQUIRE(fit.determined);
    CHECK_THAT(fit.coefficients[0].value, WithinRel(3.0, 1e-12));
    CHECK_THAT(fit.coefficients[1].value, WithinRel(2.0, 1e-12));
    CHECK_THAT(fit.misfit, WithinAbs(0, 1e-12));
    CHECK(fit.degrees_of_freedom == 1);
}

TEST_CASE("hand values of a weighted fit") {
    // One unknown, y = c: the mean weighted by 1/s^2 of 1 and 4 with deviations 1 and 2 is (1 + 4/4)/(1 + 1/4) = 1.6.
    const LinearFit fit = least_squares({{{1}, 1, 1}, {{1}, 4, 2}});
    REQUIRE(fit.determined);
    CHECK_THAT(fit.coefficients[0].value, WithinRel(1.6, 1e-12));
    // misfit^2 = 0.36 + 5.76/4 = 1.8; variance 1/1.25 * 1.8; Student's 97.5 % quantile with one degree is 12.7062.
    CHECK_THAT(fit.misfit, WithinRel(std::sqrt(1.8), 1e-12));
    CHECK_THAT(fit.coefficients[0].high - 1.6, WithinRel(12.7062 * std::sqrt(1.8 / 1.25), 1e-5));
}

TEST_CASE("observations that do not determine the coefficients are said to") {
    CHECK_FALSE(least_squares({{{1, 2}, 3, 1}}).determined);
    CHECK_FALSE(least_squares({{{1, 2}, 3, 1}, {{2, 4}, 6, 1}, {{3, 6}, 9, 1}}).determined);
}

TEST_CASE("intervals hold the truth about as often as they say") {
    std::mt19937_64 random(11);
    std::normal_distribution<double> noise(0, 0.5);
    constexpr int trials = 2000;
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<Observation> line;
        for (int x = 0; x < 8; ++x) line.push_back({{1, static_cast<double>(x)}, 1 + 2.0 * x + noise(random), 0.5});
        const Coefficient slope = least_squares(line).coefficients[1];
        held += slope.low <= 2 && 2 <= slope.high ? 1 : 0;
    }
    CHECK(held > 0.94 * trials);
}

}  // namespace
}  // namespace narrows
