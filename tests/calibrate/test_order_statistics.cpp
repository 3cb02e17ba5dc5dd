#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>

#include "calibrate/measure/order_statistics.hpp"

namespace narrows {
namespace {

TEST_CASE("the median of odd and even numbers of samples") {
    CHECK(median_estimate({3, 1, 2}).value == 2);
    CHECK(median_estimate({4, 1, 2, 3}).value == 2.5);
    CHECK_THROWS_AS(median_estimate({}), std::logic_error);
}

TEST_CASE("the interval of thousands of samples is that of the normal law") {
    std::vector<double> samples;
    for (int i = 1; i <= 10000; ++i) samples.push_back(i);
    const OrderEstimate estimate = median_estimate(samples);
    CHECK(estimate.value == 5000.5);
    CHECK(estimate.low == Approx(5000 - 1.96 * 50).margin(2));
    CHECK(estimate.high == Approx(5001 + 1.96 * 50).margin(2));
}

TEST_CASE("fewer than six samples give their whole range") {
    const OrderEstimate estimate = median_estimate({5, 1, 2, 4, 3});
    CHECK(estimate.low == 1);
    CHECK(estimate.high == 5);
    CHECK(estimate.samples == 5);
}

TEST_CASE("intervals of the sign test for 6 and 9 and 20 samples") {
    // Tables of the sign test: the orders are 1 of 6, 2 of 9, 6 of 20.
    const auto order_of = [](int n) {
        std::vector<double> samples;
        for (int i = 1; i <= n; ++i) samples.push_back(i);
        return median_estimate(samples).low;
    };
    CHECK(order_of(6) == 1);
    CHECK(order_of(9) == 2);
    CHECK(order_of(20) == 6);
}

TEST_CASE("the first quartile lies between the samples around it and its interval is that of the binomial law") {
    std::vector<double> samples;
    for (int i = 1; i <= 15; ++i) samples.push_back(i);
    const OrderEstimate estimate = quartile_estimate(samples);
    CHECK(estimate.value == 4.5);
    // P(B < 1) = 1.3 %, P(B < 2) = 8.0 %; P(B >= 8) = 1.7 %, P(B >= 7) = 5.7 % of Binomial(15, 1/4).
    CHECK(estimate.low == 1);
    CHECK(estimate.high == 8);
    const OrderEstimate few = quartile_estimate({3, 1, 2});
    CHECK(few.value == 1.5);
    CHECK(few.low == 1);
    CHECK(few.high == 3);
    CHECK(quantile_estimate({7}, 0.25).value == 7);
}

TEST_CASE("the interval holds the true first quartile in at least 95 percent of a dozen samples") {
    std::mt19937_64 random(11);
    std::exponential_distribution<double> waiting(1);
    const double truth = std::log(4.0 / 3);
    constexpr int trials = 4000;
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> samples;
        for (int i = 0; i < 12; ++i) samples.push_back(waiting(random));
        const OrderEstimate estimate = quartile_estimate(samples);
        held += estimate.low <= truth && truth <= estimate.high ? 1 : 0;
    }
    CHECK(held > 0.945 * trials);
}

TEST_CASE("the interval holds the true median in at least 95 percent of samples from a skewed distribution") {
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> skewed(0, 1);
    constexpr int trials = 4000;
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> samples;
        for (int i = 0; i < 15; ++i) samples.push_back(skewed(random));
        const OrderEstimate estimate = median_estimate(samples);
        held += estimate.low <= 1 && 1 <= estimate.high ? 1 : 0;
    }
    CHECK(held > 0.945 * trials);
}

}  // namespace
}  // namespace narrows
