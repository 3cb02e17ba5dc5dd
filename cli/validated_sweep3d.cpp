#include <fmt/format.h>

#include <algorithm>

#include "calibrate/ranks/cores.hpp"
#include "calibrate/study/sampling.hpp"
#include "calibrate/study/sweep_fit.hpp"
#include "cli/validated_workload.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

SweepQuery query_here(const SweepCase& what) {
    SweepQuery query = what.query();
    query.processors = Cores().count();
    query.ranks_per_node = std::max(query.ranks(), query.processors);
    return query;
}

PlannedRun planned(const Machine& machine, const SweepCase& what) {
    const SweepQuery query = query_here(what);
    const TimePrediction prediction = predict_sweep3d(machine, query);
    const auto& [i, j, k] = query.cells;
    PlannedRun run;
    run.expected.ranks = query.ranks();
    run.expected.shape =
        fmt::format("{} of {}, {} planes, {}{} angles{}", format_shape({query.grid[0], query.grid[1]}),
                    format_shape({i, j, k}), query.planes, query.angle_block,
                    query.angles == 6 ? "" : fmt::format(" of {}", query.angles), query.moments == 4 ? "" : ", P0");
    run.expected.predicted = prediction.time.si();
    run.expected.low = end_of(prediction.low);
    run.expected.high = end_of(prediction.high);
    run.what = study_case(what);
    run.figure = [cells = what.cell_angles(), workers = what.workers](double time) { return time * cells / workers; };
    return run;
}

SweepCase long_enough(const Machine& machine, SweepCase what) {
    constexpr double most_iterations = 1e6;
    const double iteration = sweep3d_time(machine, query_here(what)).si();
    what.options.problem.iterations = static_cast<int>(std::clamp(seconds_of_run / iteration, 1.0, most_iterations));
    return what;
}

DrawnCase drawn_sweep(const Machine& machine, const UnitNumbers& next, const CaseLimits& limits) {
    const SweepCase what = sweep_case_at(next, limits);
    return {what.name(), [&machine, what] { return planned(machine, long_enough(machine, what)); }};
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
