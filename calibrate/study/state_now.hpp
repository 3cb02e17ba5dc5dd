#pragma once

#include <optional>
#include <vector>

#include "model/machine.hpp"

namespace narrows {

/// Whether it is this host that was calibrated, by its name, and its calibration met several states: cores at different
/// distances from each other, or a piece of work that took different times.
bool changes_here(const Machine& machine);

/// The state that this machine is in now (`MeasuredResiduals::states`). Nothing unless it changes here, or where cores
/// are farther from each other than its calibration met, as others use them now: predictions are of the usual state
/// then. Takes some 20 ms; the distance is given up after `within_seconds`.
std::optional<std::vector<double>> state_now(const Machine& machine, double within_seconds = 0.05);

/// The machine as it is now, where that is known, else as it usually is.
Machine as_it_is_now(const Machine& machine);

}  // namespace narrows
