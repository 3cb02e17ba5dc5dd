#pragma once

#include <optional>

#include "model/machine.hpp"

namespace narrows {

/// Whether it is this host that was calibrated, by its name, and its cores were at different distances from each other
/// then.
bool changes_here(const Machine& machine);

/// Seconds that a cache line takes from one core of this machine to another now. Nothing unless the machine changes
/// here and its calibration met such a distance, as it did not where others use the cores now: predictions are of the
/// usual state then. Takes two milliseconds, 50 at most.
std::optional<double> distance_now(const Machine& machine);

/// The machine as it is now, where that is known, else as it usually is.
Machine as_it_is_now(const Machine& machine);

}  // namespace narrows
