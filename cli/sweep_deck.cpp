#include "cli/sweep_deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "calibrate/kernels/sweep3d/ordinates.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "cli/options.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

template <std::size_t n>
std::array<int, n> sizes_of(const std::string& text, const char* option, const char* example) {
    const std::vector<int> sizes = with_option_context(option, [&] { return parse_shape(text); });
    if (sizes.size() != n) {
        throw InputError(fmt::format("{} {}: {} sizes are needed, such as {}", option, text, n, example));
    }
    std::array<int, n> all{};
    std::copy(sizes.begin(), sizes.end(), all.begin());
    return all;
}

void take(const std::string& text, const std::string& option, int& value, std::int64_t least = 0) {
    if (!text.empty()) value = static_cast<int>(parse_count(text, option, least, max_extent));
}

// The ranks given, or their grid.
void choose_grid(const OptionWords& words, const std::string& ranks_from, bool of_each, SweepQuery& deck) {
    int ranks = 0;
    take(words["--ranks"], ranks_from, ranks, 1);
    if (words.has("--grid")) {
        deck.grid = sizes_of<2>(words["--grid"], "--grid", "2x3");
        const std::int64_t of_grid = std::int64_t{deck.grid[0]} * deck.grid[1];
        if (ranks != 0 && ranks != of_grid) {
            throw InputError(fmt::format("--ranks {}: the grid {} has {} ranks: leave one of the two out", ranks,
                                         words["--grid"], of_grid));
        }
    } else if (ranks != 0) {
        constexpr std::array<int, 3> any = {max_extent, max_extent, 1};
        deck.grid = with_option_context(ranks_from, [&] { return sweep_grid(ranks, of_each ? any : deck.cells); });
    }
}

// Cells and grid: cells of each rank or of all together.
void choose_cells_and_grid(const OptionWords& words, const std::string& ranks_from, SweepQuery& deck) {
    const bool of_each = words.has("--cells-per-rank");
    if (of_each && words.has("--cells")) {
        throw InputError("--cells and --cells-per-rank both say how many there are: give one of them");
    }
    if (of_each) deck.cells = sizes_of<3>(words["--cells-per-rank"], "--cells-per-rank", "5x5x400");
    if (words.has("--cells")) deck.cells = sizes_of<3>(words["--cells"], "--cells", "50x50x50");
    choose_grid(words, ranks_from, of_each, deck);
    for (std::size_t axis = 0; of_each && axis < 2; ++axis) {
        if (deck.cells[axis] > max_extent / deck.grid[axis]) {
            throw InputError(fmt::format("--cells-per-rank {}: on {} ranks these are too many: give fewer",
                                         words["--cells-per-rank"], deck.grid[axis]));
        }
        deck.cells[axis] *= deck.grid[axis];
    }
}

}  // namespace

const Options& sweep_deck_options() {
    static const Options rows = {
        Option{"--cells", "of all ranks together; default 50x50x50"}.taking("SHAPE"),
        Option{"--cells-per-rank", "of each rank, such as 5x5x400"}.taking("SHAPE"),
        Option{"--grid", "ranks along each dimension, such as 2x3; default: as cubic as it goes"}.taking("SHAPE"),
        Option{"--angles", "of an octant, 6 (S6, default) or 3 (S4)"}.taking("6|3"),
        Option{"--planes", "planes of a block; default 10, or the largest number below that divides the planes"}
            .taking_count(),
        Option{"--angle-block", "angles of a block; default all"}.taking_count(),
        Option{"--moments", "flux moments, 4 (P1, default) or 1 (P0)"}.taking("4|1"),
    };
    return rows;
}

SweepQuery sweep_deck(const OptionWords& words, const std::string& ranks_from) {
    SweepQuery deck;
    choose_cells_and_grid(words, ranks_from, deck);
    // Without a word of it, blocks of ten planes where that divides them, else of the next number below that does.
    while (deck.cells[2] % deck.planes != 0) --deck.planes;
    take(words["--angles"], "--angles", deck.angles);
    with_option_context("--angles", [&] { return ordinates(deck.angles); });  // says which there are
    take(words["--moments"], "--moments", deck.moments);
    take(words["--planes"], "--planes", deck.planes);
    deck.angle_block = deck.angles;
    take(words["--angle-block"], "--angle-block", deck.angle_block, 1);
    return deck;
}

}  // namespace narrows
