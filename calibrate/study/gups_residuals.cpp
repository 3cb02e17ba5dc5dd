#include "calibrate/study/gups_residuals.hpp"

#include <algorithm>

#include "calibrate/study/validation.hpp"
#include "model/gups/residuals.hpp"
#include "model/gups/workload.hpp"

namespace narrows {
namespace {

std::optional<PredictedRun> predicted_updates(const Machine& machine, const std::string& name) {
    const auto what = gups_case_named(name);
    if (!what || what->options.variant == GupsVariant::local) return std::nullopt;
    const GupsQuery query = query_of(*what);
    const GupsJob job = gups_job(machine, query);
    const auto updates = static_cast<double>(what->options.updates);
    return PredictedRun{residuals_of(query.variant),
                        values_of(residual_variables(query, job.placement, *query.table, updates)),
                        job.placement.workers / predict_gups(machine, query, job).rate.si()};
}

}  // namespace

GupsCase of_length(const Machine& machine, GupsCase what, const CaseLength& length) {
    constexpr double updates_of_rank = 1024;
    const double rate = predict_gups(machine, query_of(what)).rate.si();
    const double usual = std::max(rate * length.usual, updates_of_rank * what.options.ranks);
    what.options.updates = static_cast<std::uint64_t>(std::max(1.0, std::min(usual, rate * length.most)));
    return what;
}

CaseSpace gups_space() {
    constexpr double weight_of_all = 10;  // all update the same memory, whose pages and neighbours change
    return {[](const Machine& machine, const UnitNumbers& next, const CaseLimits& limits, const CaseLength& length) {
                return study_case(of_length(machine, gups_case_at(next, limits), length));
            },
            predicted_updates, 0, weight_of_all};
}

}  // namespace narrows
