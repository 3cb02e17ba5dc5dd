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

/// What follows a short run: another one of so much, unless that is 0, or the run itself.
struct NextLength {
    std::uint64_t again = 0;
    std::uint64_t run = 0;
};

/// What follows a short run of `probed` that took `seconds`: a longer one while it took too little to tell; else a run
/// of some seven seconds at that pace, of 1 at least and of the usual length at most. Preconditions: `probed` and
/// `length.usual` above 0.
NextLength next_length(const RunLength& length, std::uint64_t probed, double seconds);

/// The length of a run that ends, with the short runs before it, within some ten seconds where it can.
/// `run(length)` returns the seconds that so much took, on rank 0. All ranks call it together; rank 0 decides.
/// Precondition: `length.usual` is above 0.
std::uint64_t length_in_time(const RunLength& length, const std::function<double(std::uint64_t)>& run,
                             const std::function<Launch::Numbers(const Launch::Numbers&)>& first_says);

}  // namespace narrows
