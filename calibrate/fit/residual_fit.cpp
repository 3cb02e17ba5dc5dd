#include "calibrate/fit/residual_fit.hpp"

#include <algorithm>
#include <cmath>
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

// Each number times a step or over it, as long as that makes the points likelier; then by smaller steps.
MeasuredResiduals likeliest(MeasuredResiduals measured, const std::vector<double>& least_scales) {
    constexpr double widest = 50;  // times what it is at first: a variable that does not matter
    constexpr double least_noise = 0.01;
    constexpr double least_trend = 1e-3;
    const MeasuredResiduals first = measured;
    double best = ResidualSurface(measured).log_likelihood();
    for (double step = 2; step > 1.1;) {
        bool better = false;
        const auto try_out = [&](double& number, double low, double high) {
            for (const double factor : {step, 1 / step}) {
                const double kept = number;
                number = std::clamp(kept * factor, low, high);
                const double likelihood = ResidualSurface(measured).log_likelihood();
                if (likelihood > best + 1e-3) {
                    best = likelihood;
                    better = true;
                } else {
                    number = kept;
                }
            }
        };
        for (std::size_t v = 0; v < measured.scales.size(); ++v) {
            try_out(measured.scales[v], std::max(least_scales[v], first.scales[v] / widest), first.scales[v] * widest);
        }
        try_out(measured.spread, first.spread / widest, first.spread * widest);
        try_out(measured.trend, least_trend, first.spread);
        try_out(measured.noise, least_noise, first.spread);
        if (!better) step = std::sqrt(step);
    }
    return measured;
}

double conformal_quantile(const ResidualSurface& surface) {
    constexpr double coverage = 0.95;
    const std::vector<Residual> held_out = surface.held_out();
    std::vector<double> scores;
    for (std::size_t i = 0; i < held_out.size(); ++i) {
        scores.push_back(std::abs(surface.measured().points[i].residual - held_out[i].value) / held_out[i].deviation);
    }
    std::sort(scores.begin(), scores.end());
    const double rank = std::ceil(coverage * (static_cast<double>(scores.size()) + 1));
    return scores[std::min(scores.size(), static_cast<std::size_t>(rank)) - 1];
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
    MeasuredResiduals measured;
    measured.name = name;
    measured.points = points;
    measured.states = states;
    measured.by_distance = by_distance;
    const Moments residuals = moments_of(points, [](const auto& point) { return point.residual; });
    measured.mean = residuals.mean;
    measured.spread = std::max(0.02, residuals.deviation);
    measured.trend = measured.spread / 2;
    measured.noise = 0.05;
    for (std::size_t v = 0; v < points.front().at.size(); ++v) {
        const Moments variable = moments_of(points, [v](const auto& point) { return point.at[v]; });
        measured.scales.push_back(variable.deviation > 0 ? 2 * variable.deviation : 1);
    }
    std::vector<double> least_scales(measured.scales.size(), 0);
    if (!states.empty()) {  // of noise in the distance of a machine that stayed in one state nothing is learnt
        const std::size_t distance = measured.scales.size() - states.front().size();
        least_scales[distance] = std::log(alike_distance);
        measured.scales[distance] = std::max(measured.scales[distance], 2 * least_scales[distance]);
    }
    measured = likeliest(std::move(measured), least_scales);
    measured.quantile = conformal_quantile(ResidualSurface(measured));
    return ResidualSurface(measured);
}

}  // namespace narrows
