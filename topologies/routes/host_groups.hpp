#pragma once

#include <vector>

#include "topologies/adjacency.hpp"

namespace narrows {

/// All hosts in groups of `size`, the last of what is left, in the order in which a breadth-first search finds them:
/// the members of a group are mostly near each other. Precondition: `hosts` and `size` are at least 1.
std::vector<std::vector<int>> host_groups(const Adjacency& arcs, int hosts, int size);

/// Throws InputError that names two hosts when one cannot reach the other.
void require_connected_hosts(const Network& network);

}  // namespace narrows
