#pragma once

#include <optional>
#include <vector>

#include "topologies/cut/least_cuts.hpp"
#include "topologies/graph.hpp"

namespace narrows {

/// The most vertices that `gray_cuts` takes: 2^(vertices − 1) divisions.
inline constexpr int gray_vertex_limit = 42;

/// The same numbers as `least_cuts` by trying every division of all vertices in Gray code order, 32 at a time: the way
/// for dense networks, whose frontier is everything. Nothing when stopped. Throws std::logic_error beyond the limit.
std::optional<std::vector<double>> gray_cuts(const Network& network, const SweepLimits& limits);

/// Divisions that `gray_cuts` would step through, in units of a `SweepPlan::work`. Infinite where capacities without a
/// common unit are so far apart that its sums would lose the small ones.
double gray_work(const Network& network);

}  // namespace narrows
