#include <fmt/format.h>

#include "calibrate/study/gups_residuals.hpp"
#include "calibrate/study/validated_kernel.hpp"
#include "calibrate/study/validation.hpp"
#include "model/gups/workload.hpp"
#include "model/uncertainty.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::string table_text(const GupsOptions& options) {
    constexpr double mebi = 1024.0 * 1024;
    const double table = static_cast<double>(options.table_words) * 8;
    return table < mebi ? fmt::format("{} KiB", table / 1024) : fmt::format("{} MiB", table / mebi);
}

PlannedRun planned(const GupsCase& what) {
    const GupsQuery query = query_of(what);
    const GupsOptions& options = what.options;
    PlannedRun run;
    run.expected.variant = name_of(query.variant);
    run.expected.ranks = options.ranks;
    run.expected.shape = options.shape.empty() ? std::to_string(options.ranks) : format_shape(options.shape);
    run.expected.setting = fmt::format("{}{}{}", table_text(options),
                                       options.bucket > 0 ? fmt::format(", buckets of {}", options.bucket) : "",
                                       options.pages == PageSize::small ? ", 4 KiB pages" : "");
    run.predict = [query](const Machine& machine) {
        const PredictionOf predict = [&query](const Machine& m) { return predict_gups(m, query); };
        return figure_of(with_interval(machine, predict), &Prediction::rate);
    };
    run.what = study_case(what);
    run.figure = [workers = options.workers](double time) { return workers / time; };
    return run;
}

DrawnCase drawn_gups(const Machine& machine, const UnitNumbers& next, const CaseLimits& limits) {
    const GupsCase what = gups_case_at(next, limits);
    return {what.name(), [&machine, what] { return planned(of_length(machine, what, length_of_run)); }};
}

std::vector<PlannedRun> usual_gups(const Machine& /*machine*/, const CaseLimits& limits) {
    std::vector<PlannedRun> runs;
    for (const GupsCase& what : validation_cases(limits.workers, limits.most_ranks, limits.memory)) {
        runs.push_back(planned(what));
    }
    return runs;
}

}  // namespace

ValidatedWorkload validated_gups() {
    return {"gups", "RandomAccess", {"rate", "GUPS", 1e-9, true}, "compute.gups", drawn_gups, usual_gups};
}

}  // namespace narrows
