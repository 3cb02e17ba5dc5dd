#pragma once

#include "calibrate/kernels/sweep3d/sweep3d.hpp"

namespace narrows {

/// Runs `copies` of the whole problem at once, each with all of its ranks on a core of its own: what blocks and
/// messages between ranks of one core cost while all cores are at work. Messages are receiver-initiated over shared
/// memory. InputError as `run_sweep3d`. Of the run, seconds are the mean of the copies, messages and bytes those of
/// one; processor time, from its first rank's begin to its last one's end, is that of all, and so are cell-angles. Its
/// iterations have no numbers.
SweepRun run_side_by_side(const SweepOptions& options, int copies);

}  // namespace narrows
