#pragma once

#include <cstdint>
#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// An order in which a line sweeps over a network's vertices. The frontier after a step are the vertices behind the
/// line with a neighbour before it; the least cuts are found by keeping one row for every way to divide the frontier.
struct SweepOrder {
    /// Vertices whose sides are fixed from outside, tried in every combination: they never count in the frontier.
    std::vector<int> fixed;
    /// The others, in the order of the sweep.
    std::vector<int> vertices;
    /// The largest frontier of the sweep.
    int widest = 0;
    /// Rows touched: 2^|fixed| · Σ over steps 2^frontier.
    double rows = 0;
};

/// Finds an order with few rows whose frontier is at most `width_limit`, fixing vertices until it is, unless it is so
/// much wider that no search could be meant: the narrowest of greedy sweeps from several vertices, improved by
/// annealing with `seed`. The least frontier of all orders is the vertex separation number (pathwidth), which is
/// NP-hard. `fixed_first` are fixed in any case, first. Precondition: valid, width_limit ≥ 1.
SweepOrder sweep_order(const Network& network, int width_limit, std::uint64_t seed = 1,
                       std::vector<int> fixed_first = {});

}  // namespace narrows
