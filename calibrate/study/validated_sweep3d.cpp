#include <fmt/format.h>

#include "calibrate/study/sweep_fit.hpp"
#include "calibrate/study/sweep_residuals.hpp"
#include "calibrate/study/validated_kernel.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

PlannedRun planned(const Machine& machine, const SweepCase& what) {
    const SweepQuery query = query_of(machine, what);
    const auto& [i, j, k] = query.cells;
    PlannedRun run;
    run.expected.ranks = query.ranks();
    run.expected.shape =
        fmt::format("{} of {}, {} planes, {}{} angles{}", format_shape({query.grid[0], query.grid[1]}),
                    format_shape({i, j, k}), query.planes, query.angle_block,
                    query.angles == 6 ? "" : fmt::format(" of {}", query.angles), query.moments == 4 ? "" : ", P0");
    run.predict = [query](const Machine& m) { return figure_of(predict_sweep3d(m, query), &TimePrediction::time); };
    run.what = study_case(what);
    run.figure = [cells = what.cell_angles(), workers = what.options.workers](double time) {
        return time * cells / workers;
    };
    return run;
}

DrawnCase drawn_sweep(const Machine& machine, const UnitNumbers& next, const CaseLimits& limits) {
    const SweepCase what = sweep_case_at(next, limits);
    return {what.name(), [&machine, what] { return planned(machine, of_length(machine, what, length_of_run)); }};
}

std::vector<PlannedRun> usual_sweeps(const Machine& machine, const CaseLimits& limits) {
    std::vector<PlannedRun> runs;
    for (const SweepCase& what : sweep_validation_cases(limits.workers, limits.most_ranks)) {
        runs.push_back(planned(machine, what));
    }
    return runs;
}

}  // namespace

ValidatedWorkload validated_sweep3d() {
    return {"sweep3d", "Sweep3D", {"time", "ms", 1e3, false}, "compute.sweep3d", drawn_sweep, usual_sweeps};
}

}  // namespace narrows
