#pragma once

#include <vector>

#include "topologies/adjacency.hpp"

namespace narrows {

/// All hosts in groups of `size`, the last of what is left, whose members are near each other where there are such
/// left. Precondition: `hosts` and `size` are at least 1.
std::vector<std::vector<int>> host_groups(const Adjacency& arcs, int hosts, int size);

/// Throws InputError that names two hosts when one cannot reach the other.
void require_connected_hosts(const Network& network);

}  // namespace narrows
