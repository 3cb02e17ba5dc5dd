#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "topologies/cut/sweep_order.hpp"
#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// What a sweep may use.
struct SweepLimits {
    /// Bytes of all tables together.
    std::size_t memory = std::size_t{4} << 30;
    int threads = 1;
    Stop stop = never_stop;
    /// Whether any host can take the place of any other: host 0 is then on the counted side, which spares half of the
    /// divisions. The caller has a proof (`orbits_of`).
    bool host_transitive = false;
};

/// How much work the sweep of `least_cuts` would be.
struct SweepPlan {
    SweepOrder order;
    /// Whether the first fixed vertex, host 0, is on the counted side only.
    bool host_inside = false;
    /// Steps for one row and one number of hosts.
    double work = 0;
};

/// The order in which `least_cuts` would sweep within `limits`.
SweepPlan plan_sweep(const Network& network, const SweepLimits& limits);

/// Whether the plan's tables fit in 2^31 rows, which `least_cuts` requires.
bool can_sweep(const SweepPlan& plan);

/// The least capacity of a cut that parts s hosts from the others, for s = 1 … hosts/2 at index s − 1; switches take
/// the sides that cut least. Nothing when stopped.
///
/// Dynamic programming over a path decomposition: a line sweeps over the vertices in `plan.order`; for every division
/// of the frontier and every number of hosts on one side, the least capacity behind the line is kept. Every cut of the
/// network is one way through the table, so the result is exact (to rounding when capacities are not whole multiples of
/// a common unit). Exponential in the frontier instead of in the number of vertices (Bodlaender, "A partial
/// k-arboretum of graphs with bounded treewidth", 1998; here with vertices fixed in all ways to bound the memory).
/// Tested against all divisions of small networks.
std::optional<std::vector<double>> least_cuts(const Network& network, const SweepPlan& plan, const SweepLimits& limits);

/// The greatest unit of which every capacity is a whole multiple to a relative 1e-14, if there is one down to 1/1000 of
/// the least capacity.
std::optional<double> capacity_unit(const Network& network);

}  // namespace narrows
