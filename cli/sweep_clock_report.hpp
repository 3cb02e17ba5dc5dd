#pragma once

#include <string>
#include <vector>

#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "cli/document.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

/// A deck on the machine whose time a virtual clock tells.
struct ClockedSweep {
    std::string machine;  ///< its name
    SweepQuery query;
    Wavefront wavefront;
};

/// A run by that clock.
struct ClockedRun {
    ClockedSweep clocked;
    SweepOptions options;
    SweepRun run;
};

/// The runs, all on one machine, as a table with the recurrence beside each; several of them also as a plot.
Document clocked_document(const std::vector<ClockedRun>& runs);

}  // namespace narrows
