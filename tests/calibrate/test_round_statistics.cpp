#include "calibrate/measure/round_statistics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace narrows;

namespace {

// Series around 10 with this correlation from sample to sample, and a slope.
std::vector<std::vector<double>> series_with(double correlation, double slope, std::size_t samples, int count) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0, 1);
    std::vector<std::vector<double>> all;
    for (int i = 0; i < count; ++i) {
        double deviation = noise(random);
        std::vector<double> one;
        for (std::size_t j = 0; j < samples; ++j) {
            one.push_back(10 + 0.01 * deviation + slope * static_cast<double>(j));
            deviation = correlation * deviation + std::sqrt(1 - correlation * correlation) * noise(random);
        }
        all.push_back(one);
    }
    return all;
}

}  // namespace

TEST_CASE("round statistics: independent samples count whole, correlated ones as many as their correlation leaves") {
    const RoundStatistics independent = round_statistics(series_with(0, 0, 15, 400));
    CHECK(independent.autocorrelation == Approx(0).margin(0.05));
    CHECK(independent.effective_share > 0.9);
    CHECK(independent.drift == Approx(0).margin(1e-3));
    const RoundStatistics correlated = round_statistics(series_with(0.5, 0, 101, 100));
    CHECK(correlated.autocorrelation == Approx(0.5).margin(0.05));
    CHECK(correlated.effective_share == Approx(1.0 / 3).margin(0.05));
    CHECK(correlated.widening() == Approx(std::sqrt(3)).margin(0.15));
    const RoundStatistics alternating = round_statistics(series_with(-0.8, 0, 51, 50));
    CHECK(alternating.autocorrelation < -0.5);
    CHECK(alternating.effective_share == 1);
    CHECK(alternating.widening() == 1);
}

TEST_CASE("round statistics: a drift is the change from the first round to the last, whatever one sample does") {
    std::vector<std::vector<double>> series = series_with(0, 0.01, 21, 30);
    CHECK(round_statistics(series).drift == Approx(0.02).margin(0.002));  // 20 x 0.01 over 10.1
    for (std::vector<double>& one : series) one[3] *= 50;
    CHECK(round_statistics(series).drift == Approx(0.02).margin(0.002));
    CHECK(round_statistics(series).effective_share < 0.5);  // a trend is a correlation
}

TEST_CASE("round statistics: too few samples say nothing") {
    for (const auto& series : {std::vector<std::vector<double>>{}, {{1, 2, 3}}, {{1}, {}}}) {
        const RoundStatistics found = round_statistics(series);
        CHECK(found.autocorrelation == 0);
        CHECK(found.effective_share == 1);
        CHECK(found.drift == 0);
    }
    CHECK(round_statistics({{5, 5, 5, 5}}).drift == 0);
}
