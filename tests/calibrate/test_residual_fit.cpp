#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "calibrate/fit/residual_fit.hpp"

namespace narrows {
namespace {

double truth(const std::vector<double>& at) {
    return 0.4 * std::sin(at[0]) + 0.1 * at[1];
}

std::vector<MeasuredResiduals::Point> points_of(int count, double noise, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> place(0, 6);
    std::normal_distribution<double> error(0, noise);
    std::vector<MeasuredResiduals::Point> points;
    for (int i = 0; i < count; ++i) {
        const std::vector<double> at = {place(random), place(random), place(random)};  // the third does not matter
        points.push_back({at, truth(at) + error(random)});
    }
    return points;
}

TEST_CASE("a fit of residuals finds them between its points, and says how far off it is") {
    const auto surface = fit_residuals("gups-routed", points_of(80, 0.03, 1));
    REQUIRE(surface);
    int within = 0;
    double squares = 0;
    const auto others = points_of(400, 0.03, 2);
    for (const auto& other : others) {
        const Residual there = surface->at(other.at);
        const double off = std::abs(there.value - other.residual);
        within += off <= surface->measured().quantile * there.deviation ? 1 : 0;
        squares += off * off;
    }
    CHECK(std::sqrt(squares / 400) < 0.06);
    CHECK(within >= 360);  // 95 % asked; of 400 by chance 380 +- 9, from 80 points +- 10
    CHECK(surface->measured().noise == Approx(0.03).margin(0.02));
    CHECK(surface->measured().scales[2] > 3 * surface->measured().scales[0]);
}

TEST_CASE("a run that took ten times as long is left out of a fit, and one that took a tenth longer is not") {
    auto points = points_of(80, 0.03, 1);
    points[40].residual += std::log(10.0);
    points[20].residual += 0.1;
    const auto surface = fit_residuals("gups-routed", points);
    REQUIRE(surface);
    CHECK(surface->measured().points.size() == 79);
    CHECK(surface->measured().noise < 0.06);
    const auto& kept = surface->measured().points;
    CHECK(std::ranges::find(kept, points[20]) != kept.end());
    CHECK(std::ranges::find(kept, points[40]) == kept.end());
}

TEST_CASE("a run that took a tenth of the time stays in a fit: nothing makes a run quicker") {
    auto points = points_of(80, 0.03, 1);
    points[40].residual -= std::log(10.0);
    const auto surface = fit_residuals("gups-routed", points);
    REQUIRE(surface);
    CHECK(surface->measured().points.size() == 80);
}

TEST_CASE("a fit of residuals that are nothing but noise is the mean and the noise") {
    auto points = points_of(60, 0.05, 3);
    for (auto& point : points) point.residual -= truth(point.at) - 0.2;
    const auto surface = fit_residuals("gups-routed", points);
    REQUIRE(surface);
    const Residual there = surface->at(std::vector{3.0, 3.0, 3.0});
    CHECK(there.value == Approx(0.2).margin(0.05));
    CHECK(there.deviation == Approx(0.05).margin(0.02));
}

TEST_CASE("few points that are alike by chance take most of their deviation from those of all kinds") {
    const auto kind = [](std::size_t count, double spread, double noise) {
        MeasuredResiduals measured{.scales = {1}, .spread = spread, .noise = noise};
        for (std::size_t i = 0; i < count; ++i)
            measured.points.push_back({{static_cast<double>(i)}, i % 2 == 0 ? noise : -noise});
        return ResidualSurface(measured);
    };
    std::vector<ResidualSurface> kinds = {kind(10, 0.02, 0.01), kind(30, 0.3, 0.1)};
    const std::vector<ResidualSurface> before = kinds;
    weigh_against_all(kinds, 10);
    const auto mean_square_error = [](const ResidualSurface& one) {
        double sum = 0;
        const std::vector<Residual> told = one.held_out();
        for (std::size_t i = 0; i < told.size(); ++i) {
            sum += std::pow(one.measured().points[i].residual - told[i].value, 2) / static_cast<double>(told.size());
        }
        return sum;
    };
    const double few = mean_square_error(before.front()), many = mean_square_error(before.back());
    const double all = (10 * few + 30 * many) / 40;
    const MeasuredResiduals& quiet = kinds.front().measured();
    CHECK(quiet.noise * quiet.noise == Approx(0.01 * 0.01 + (all - few) / 2));
    CHECK(quiet.spread == 0.02);
    CHECK(quiet.quantile == 1.96);  // its points are well within that noise
    CHECK(kinds.back() == before.back());

    kinds = before;
    weigh_against_all(kinds, 0);
    CHECK(kinds == before);
}

TEST_CASE("too few points are no surface, and a variable that is always the same does no harm") {
    CHECK_FALSE(fit_residuals("gups-routed", points_of(7, 0.03, 1)));
    auto points = points_of(20, 0.03, 1);
    for (auto& point : points) point.at[1] = 4;
    CHECK(fit_residuals("gups-routed", points));
}

}  // namespace
}  // namespace narrows
