#pragma once

#include "calibrate/kernels/sweep3d/sweep3d.hpp"

namespace narrows {

/// Runs `copies` of the whole problem at once, each with all of its ranks on a core of its own: what blocks and
/// messages between ranks of one core cost while all cores are at work. Messages are receiver-initiated over shared
/// memory. InputError as `run_sweep3d`. The run is that of the first copy, but for seconds, the mean of the copies;
/// for processor time (from a copy's first rank's begin to its last one's end), involuntary switches and cell-angles,
/// of all copies; and for workers, one a copy.
SweepRun run_side_by_side(const SweepOptions& options, int copies);

}  // namespace narrows
