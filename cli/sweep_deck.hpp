#pragma once

#include <array>
#include <string>
#include <vector>

#include "cli/word_options.hpp"

namespace narrows {

constexpr int most_of_a_deck =
    1 << 24;  ///< cells along an axis, angles, iterations, ranks: what an option takes at most

/// The options that say what Sweep3D solves and on which grid, as typed; empty where they were not given.
struct SweepWords {
    std::string cells;
    std::string cells_per_rank;
    std::string grid;
    std::string ranks;
    std::string angles;
    std::string planes;
    std::string angle_block;
    std::string moments;
    std::string ranks_from = "--ranks";  ///< for messages: the option that says how many ranks there are
};

/// The options, those of ranks left out.
template <class Words>
std::vector<WordOption<Words>> sweep_deck_options() {
    return {{"--cells", &Words::cells, "of all ranks together; default 50x50x50"},
            {"--cells-per-rank", &Words::cells_per_rank, "of each rank, such as 5x5x400"},
            {"--grid", &Words::grid, "ranks along each dimension, such as 2x3; default: as cubic as possible"},
            {"--angles", &Words::angles, "of an octant, 6 (S6, default) or 3 (S4)"},
            {"--planes", &Words::planes, "of a block; default 10, or what below divides the planes"},
            {"--angle-block", &Words::angle_block, "angles of a block; default all"},
            {"--moments", &Words::moments, "flux moments, 4 (P1, default) or 1 (P0)"}};
}

/// Those among the options of a command.
template <class Words>
SweepWords sweep_words(const Words& words) {
    return {words.cells,  words.cells_per_rank, words.grid,    words.ranks, words.angles,
            words.planes, words.angle_block,    words.moments, "--ranks"};
}

/// What they mean, with the defaults of the benchmark.
struct SweepDeck {
    std::array<int, 3> cells = {50, 50, 50};  ///< of all ranks together
    std::array<int, 2> grid = {1, 1};         ///< ranks along I and J
    int angles = 6;
    int planes = 10;
    int angle_block = 0;  ///< 0: all angles
    int moments = 4;
};

/// InputError names the option that is wrong. Whether blocks divide and the grid fits is not checked here.
SweepDeck sweep_deck(const SweepWords& words);

}  // namespace narrows
