#pragma once

#include "calibrate/kernels/sweep3d/sweep3d.hpp"

namespace narrows {

/// What copies of a problem took that ran at the same time.
struct SideBySideRun {
    int copies = 1;
    double seconds = 0;      ///< of one copy, their mean
    double cpu_seconds = 0;  ///< of all copies, each from its first rank's begin to its last one's end
    long involuntary_switches = 0;
    std::int64_t cell_angles = 0;  ///< of all copies and iterations
    std::uint64_t messages = 0;    ///< of one copy, all iterations
    std::uint64_t bytes = 0;       ///< that they carried
};

/// Runs `copies` of the whole problem at once, each with all of its ranks on a core of its own: what blocks and
/// messages between ranks of one core cost while all cores are at work. Messages are receiver-initiated over shared
/// memory. InputError as `run_sweep3d`.
SideBySideRun run_side_by_side(const SweepOptions& options, int copies);

}  // namespace narrows
