#include "calibrate/study/gups_residuals.hpp"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <map>
#include <string>

#include "calibrate/fit/residual_fit.hpp"
#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/study/validation.hpp"
#include "model/gups/residuals.hpp"
#include "model/gups/workload.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

GupsCase of_length(const Machine& machine, GupsCase what, double seconds, double most_seconds) {
    constexpr double updates_of_rank = 1024;
    const double rate = predict_gups(machine, query_of(what)).rate.si();
    const double usual = std::max(rate * seconds, updates_of_rank * what.options.ranks);
    what.options.updates = static_cast<std::uint64_t>(std::max(1.0, std::min(usual, rate * most_seconds)));
    return what;
}

std::vector<GupsCase> design_cases(const Machine& machine, const CaseLimits& limits, int count) {
    constexpr double seconds = 1.0 / 6;
    constexpr double most_seconds = 0.5;
    boost::random::sobol sequence(case_properties);
    const UnitNumbers next = [&sequence] {
        return static_cast<double>(sequence()) / (static_cast<double>(boost::random::sobol::max()) + 1);
    };
    std::vector<GupsCase> cases;
    for (int i = 0; i < count; ++i) {
        int taken = 0;
        const auto counted = [&] {
            ++taken;
            return next();
        };
        const GupsCase what = gups_case_at(counted, limits);
        for (; taken < case_properties; ++taken) next();  // each case begins with the first coordinate of a point
        try {
            cases.push_back(of_length(machine, what, seconds, most_seconds));
        } catch (const InputError&) {
            continue;
        }
    }
    return cases;
}

std::vector<ResidualSurface> fit_gups_residuals(const Machine& machine, const std::vector<Sample>& samples) {
    std::map<std::string, std::vector<double>> times;
    for (const Sample& taken : samples) times[taken.name].push_back(taken.per_update());
    std::map<std::string, std::vector<MeasuredResiduals::Point>> points;
    for (const auto& [name, of_case] : times) {
        const auto what = gups_case_named(name);
        if (!what || what->role == GupsRole::update) continue;
        const GupsQuery query = query_of(*what);
        const GupsJob job = gups_job(machine, query);
        const double predicted = job.placement.workers / predict_gups(machine, query, job).rate.si();
        const auto updates = static_cast<double>(what->options.updates);
        points[residuals_of(query.variant)].push_back(
            {residual_variables(query, job.placement, *query.table, updates),
             std::log(median_estimate(of_case).value / predicted)});
    }
    std::vector<ResidualSurface> surfaces;
    for (const auto& [name, of_code] : points) {
        if (auto surface = fit_residuals(name, of_code)) surfaces.push_back(std::move(*surface));
    }
    return surfaces;
}

}  // namespace narrows
