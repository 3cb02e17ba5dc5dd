#pragma once

#include <cstdint>
#include <functional>

#include "calibrate/kernels/messages/launch.hpp"

namespace narrows {

/// How long a run is where nobody asked for a length, in its own unit: updates, or iterations.
struct RunLength {
    std::uint64_t usual = 0;  ///< where links are fast; 0: somebody asked for a length, which stays
    std::uint64_t first = 1;  ///< of the first short run, from which the pace is known
};

/// The length of a run that ends, with the short runs before it, within some ten seconds where it can.
/// `run(length)` returns the seconds that so much took, on rank 0. All ranks call it together; rank 0 decides.
/// Precondition: `length.usual` is above 0.
std::uint64_t length_in_time(const RunLength& length, const std::function<double(std::uint64_t)>& run,
                             const std::function<Launch::Numbers(const Launch::Numbers&)>& first_says);

}  // namespace narrows
