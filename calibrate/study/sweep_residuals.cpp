#include "calibrate/study/sweep_residuals.hpp"

#include <algorithm>

#include "calibrate/study/sweep_fit.hpp"
#include "model/wavefront/residuals.hpp"

namespace narrows {
namespace {

std::optional<PredictedRun> predicted_iteration(const Machine& machine, const std::string& name) {
    const auto what = sweep_case_named(name);
    // Copies side by side have no other ranks to wait for.
    if (!what || what->role != SweepRole::between) return std::nullopt;
    const SweepQuery query = query_of(machine, *what);
    const double time = sweep3d_time(machine, query).si();
    return PredictedRun{sweep_residuals, values_of(residual_variables(machine, query)),
                        time * what->options.workers / what->cell_angles()};
}

}  // namespace

SweepQuery query_of(const Machine& machine, const SweepCase& what) {
    SweepQuery query = what.query();
    const bool known = find(machine, "node.processors") != nullptr;
    query.processors = known ? static_cast<int>(number_at(machine, "node.processors")) : what.options.workers;
    query.ranks_per_node = std::max(query.ranks(), query.processors);
    return query;
}

SweepCase of_length(const Machine& machine, SweepCase what, const CaseLength& length) {
    constexpr double most_of_run = 1e5;
    const double iteration = sweep3d_time(machine, query_of(machine, what)).si();
    what.options.problem.iterations = static_cast<int>(std::clamp(length.usual / iteration, 1.0, most_of_run));
    return what;
}

CaseSpace sweep_space() {
    return {[](const Machine& machine, const UnitNumbers& next, const CaseLimits& limits, const CaseLength& length) {
                return study_case(of_length(machine, sweep_case_at(next, limits), length));
            },
            predicted_iteration};
}

}  // namespace narrows
