#include "calibrate/fit/residual_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace narrows {
namespace {

constexpr std::size_t least_points = 8;

struct Moments {
    double mean = 0;
    double deviation = 0;
};

template <class Value>
Moments moments_of(const std::vector<MeasuredResiduals::Point>& points, const Value& value) {
    Moments found;
    for (const auto& point : points) found.mean += value(point) / static_cast<double>(points.size());
    for (const auto& point : points) {
        found.deviation += std::pow(value(point) - found.mean, 2) / static_cast<double>(points.size());
    }
    found.deviation = std::sqrt(found.deviation);
    return found;
}

// The numbers that `ResidualSurface::likelihood` has slopes along.
std::vector<double*> numbers_of(MeasuredResiduals& measured) {
    std::vector<double*> numbers;
    for (double& scale : measured.scales) numbers.push_back(&scale);
    numbers.insert(numbers.end(), {&measured.spread, &measured.shared_spread, &measured.trend, &measured.noise});
    return numbers;
}

// Numbers that make the points likeliest, by steps that grow while the slope along a number keeps its sign and halve
// where it turns (Riedmiller and Braun 1993), on logarithms.
MeasuredResiduals likeliest(MeasuredResiduals measured, const std::vector<double>& least_scales) {
    constexpr double widest = 50;  // times what it is at first: a variable that does not matter
    constexpr double least_noise = 0.01;
    constexpr double least_trend = 1e-3;
    constexpr int most_steps = 60;
    constexpr double least_step = 0.01;
    const std::vector<double*> numbers = numbers_of(measured);
    std::vector<double> least, most;
    for (std::size_t v = 0; v < measured.scales.size(); ++v) {
        least.push_back(std::max(least_scales[v], measured.scales[v] / widest));
        most.push_back(measured.scales[v] * widest);
    }
    const double shared = measured.shared_spread;  // zero stays so
    least.insert(least.end(), {measured.spread / widest, shared / widest, least_trend, least_noise});
    most.insert(most.end(), {measured.spread * widest, shared * widest, measured.spread, measured.spread});
    MeasuredResiduals best = measured;
    double best_logarithm = -std::numeric_limits<double>::infinity();
    std::vector<double> steps(numbers.size(), 0.3), before(numbers.size(), 0.0);
    double longest = 1;
    for (int step = 0; step < most_steps && longest > least_step; ++step) {
        const ResidualSurface::Likelihood found = ResidualSurface(measured).likelihood();
        if (found.logarithm > best_logarithm) {
            best_logarithm = found.logarithm;
            best = measured;
        }
        longest = 0;
        for (std::size_t n = 0; n < numbers.size(); ++n) {
            const double turn = found.slopes[n] * before[n];
            steps[n] = turn < 0 ? steps[n] / 2 : turn > 0 ? std::min(1.0, steps[n] * 1.2) : steps[n];
            before[n] = found.slopes[n];
            const double wanted = *numbers[n] * std::exp(std::copysign(steps[n], found.slopes[n]));
            const double next = std::clamp(wanted, least[n], std::max(least[n], most[n]));
            if (found.slopes[n] == 0 || next == *numbers[n]) continue;
            *numbers[n] = next;
            longest = std::max(longest, steps[n]);
        }
    }
    return best;
}

// With numbers fitted to its points.
MeasuredResiduals fitted(MeasuredResiduals measured) {
    const std::vector<MeasuredResiduals::Point>& points = measured.points;
    const Moments residuals = moments_of(points, [](const auto& point) { return point.residual; });
    measured.mean = residuals.mean;
    measured.spread = std::max(0.02, residuals.deviation);
    measured.shared_spread = measured.states.empty() ? 0 : measured.spread;
    measured.trend = measured.spread / 2;
    measured.noise = 0.05;
    measured.scales.clear();
    for (std::size_t v = 0; v < points.front().at.size(); ++v) {
        const Moments variable = moments_of(points, [v](const auto& point) { return point.at[v]; });
        measured.scales.push_back(variable.deviation > 0 ? 2 * variable.deviation : 1);
    }
    std::vector<double> least_scales(measured.scales.size(), 0);
    if (!measured.states.empty()) {  // of noise in the distance of a machine that stayed in one state nothing is learnt
        const std::size_t distance = measured.scales.size() - measured.states.front().size();
        least_scales[distance] = std::log(alike_distance);
        measured.scales[distance] = std::max(measured.scales[distance], 2 * least_scales[distance]);
    }
    return likeliest(std::move(measured), least_scales);
}

double conformal_quantile(const ResidualSurface& surface) {
    constexpr double coverage = 0.95;
    const std::vector<Residual> held_out = surface.held_out();
    std::vector<double> scores;
    for (std::size_t i = 0; i < held_out.size(); ++i) {
        scores.push_back(std::abs(surface.measured().points[i].residual - held_out[i].value) / held_out[i].deviation);
    }
    std::ranges::sort(scores);
    const double rank = std::ceil(coverage * (static_cast<double>(scores.size()) + 1));
    return scores[std::min(scores.size(), static_cast<std::size_t>(rank)) - 1];
}

// Without the points that took so much longer than the others tell: runs that something disturbed. Two of 451, one of
// them ten times as long, more than doubled the noise.
std::vector<MeasuredResiduals::Point> undisturbed(const ResidualSurface& surface) {
    constexpr double too_far = 5;  // deviations
    const std::vector<Residual> held_out = surface.held_out();
    std::vector<MeasuredResiduals::Point> near;
    for (std::size_t i = 0; i < held_out.size(); ++i) {
        const MeasuredResiduals::Point& point = surface.measured().points[i];
        if (point.residual - held_out[i].value <= too_far * held_out[i].deviation) near.push_back(point);
    }
    return near;
}

// Of its runs from what the others tell.
double mean_square_error(const ResidualSurface& kind) {
    double squares = 0;
    const std::vector<Residual> held_out = kind.held_out();
    for (std::size_t i = 0; i < held_out.size(); ++i) {
        squares += std::pow(kind.measured().points[i].residual - held_out[i].value, 2);
    }
    return squares / static_cast<double>(held_out.size());
}

}  // namespace

void weigh_against_all(std::vector<ResidualSurface>& kinds, double weight) {
    double all = 0, points = 0;
    for (const ResidualSurface& kind : kinds) {
        const auto own = static_cast<double>(kind.measured().points.size());
        all += own * mean_square_error(kind);
        points += own;
    }
    for (ResidualSurface& kind : kinds) {
        MeasuredResiduals measured = kind.measured();
        const auto own = static_cast<double>(measured.points.size());
        const double added = weight / (own + weight) * (all / points - mean_square_error(kind));
        if (added <= 0) continue;
        constexpr double of_normal = 1.96;
        measured.noise = std::sqrt(measured.noise * measured.noise + added);
        measured.quantile = std::max(of_normal, conformal_quantile(ResidualSurface(measured)));
        kind = ResidualSurface(std::move(measured));
    }
}

std::optional<ResidualSurface> fit_residuals(const std::string& name,
                                             const std::vector<MeasuredResiduals::Point>& points,
                                             const std::vector<std::vector<double>>& states, double by_distance) {
    if (points.size() < least_points) return std::nullopt;
    MeasuredResiduals measured{.name = name, .by_distance = by_distance, .states = states, .points = points};
    measured = fitted(std::move(measured));
    std::vector<MeasuredResiduals::Point> near = undisturbed(ResidualSurface(measured));
    if (near.size() < points.size() && near.size() >= least_points) {
        measured.points = std::move(near);
        measured = fitted(std::move(measured));
    }
    measured.quantile = conformal_quantile(ResidualSurface(measured));
    return ResidualSurface(measured);
}

}  // namespace narrows
