#pragma once

#include <string>

#include "cli/words.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

constexpr int max_extent = 1 << 24;  ///< cells along an axis, angles, iterations, ranks: what an option takes at most

/// The options that say what Sweep3D solves, those of ranks left out.
const Options& sweep_deck_options();

/// What they mean with `--ranks`, with the defaults of the benchmark; no more of the query is set.
/// InputError names the option that is wrong. Whether blocks divide and the grid fits is not checked here.
/// `ranks_from`: the option that says how many ranks there are, for messages.
SweepQuery sweep_deck(const OptionWords& words, const std::string& ranks_from = "--ranks");

}  // namespace narrows
