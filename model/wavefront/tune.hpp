#pragma once

#include <vector>

#include "model/report_progress.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

/// What may be chosen of a sweep, and how much choosing may cost.
struct SweepFreedom {
    bool grid = true;
    bool planes = true;
    bool angle_block = true;
    /// Cells along I and J are of each rank, so that they follow the grid.
    bool cells_follow_grid = false;
    std::size_t best = 8;   ///< choices to return, at most
    double effort = 100e6;  ///< blocks of ranks that the recurrence may evaluate; about 20 ns each
};

/// A choice with its time as `sweep3d_time` has it, and by the closed form that shortlisted it.
struct SweepChoice {
    SweepQuery query;
    Time time;
    Time closed_form;
};

/// The choices of grid, planes and angles a block that `freedom` allows, the fastest first.
///
/// Statement: all grids of as many ranks and all divisors, in the order of `plug_and_play_time` with the time of busy
///            gateways added; each by `sweep3d_time` unless its computing and fill alone take longer than the worst
///            of those kept (of a machine that was calibrated, whose runs correct the model, without this exception),
///            until `effort` is spent or all are done. At least `best` are evaluated where there are so many.
/// Source:    derived.
/// Range:     as both; beyond `effort` the best is that of the shortlist. InputError as `check`.
/// Test:      tests/model/wavefront/test_tune.cpp (against all choices)
std::vector<SweepChoice> tune_sweep(const Machine& machine, const SweepQuery& query, const SweepFreedom& freedom,
                                    const ReportProgress& progress = {});

}  // namespace narrows
