#pragma once

#include <optional>

#include "model/machine.hpp"

namespace narrows {

/// Seconds that a cache line takes from one core of this machine to another now. Nothing unless it is the machine that
/// was calibrated, by the host's name, and its cores were at different distances from each other then: elsewhere, where
/// others use the cores, and at a distance that was not met then, predictions are of the usual state. Takes two
/// milliseconds, 50 at most.
std::optional<double> distance_now(const Machine& machine);

/// The machine as it is now, where that is known, else as it usually is.
Machine as_it_is_now(const Machine& machine);

}  // namespace narrows
