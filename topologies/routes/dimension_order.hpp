#pragma once

#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/traffic.hpp"

namespace narrows {

/// Loads of `traffic` on a grid of `shape` when every message first goes all its way in the first dimension, then in
/// the second, and so on, in a dimension that wraps the shorter way round; half way round, half of it each way (Dally
/// and Towles, "Principles and Practices of Interconnection Networks", Section 8.4.2). `wraps` says for each dimension
/// whether its ends are joined, which makes no difference in a dimension of two. Links between the same two nodes share
/// equally. With `ties_onwards` what is half way round goes onwards alone: on an even ring of N uniform traffic then
/// loads that direction (N/2+1)/(N/2-1) times as much as the other. Uniform traffic costs O(links) at any size, others
/// O(hops).
///
/// Throws InputError when a link that traffic needs is missing. Preconditions: the hosts are numbered as by `Grid`, the
/// first dimension fastest; there are no switches; every edge joins neighbours of the grid; the traffic is of as many.
LinkLoads dimension_order_loads(const Network& network, const std::vector<int>& shape, const std::vector<bool>& wraps,
                                const Traffic& traffic, bool ties_onwards = false);

}  // namespace narrows
