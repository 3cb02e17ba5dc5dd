#pragma once

#include <array>
#include <string>

#include "cli/words.hpp"

namespace narrows {

constexpr int max_extent = 1 << 24;  ///< cells along an axis, angles, iterations, ranks: what an option takes at most

/// The options that say what Sweep3D solves, those of ranks left out.
const Options& sweep_deck_options();

/// What they mean with `--ranks`, with the defaults of the benchmark.
struct SweepDeck {
    std::array<int, 3> cells = {50, 50, 50};  ///< of all ranks together
    std::array<int, 2> grid = {1, 1};         ///< ranks along I and J
    int angles = 6;
    int planes = 10;
    int angle_block = 0;  ///< 0: all angles
    int moments = 4;
};

/// InputError names the option that is wrong. Whether blocks divide and the grid fits is not checked here.
/// `ranks_from`: the option that says how many ranks there are, for messages.
SweepDeck sweep_deck(const WorkloadWords& words, const std::string& ranks_from = "--ranks");

}  // namespace narrows
