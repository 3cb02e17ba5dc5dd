#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// By vertex, hosts and switches alike, the number of its component, from 0: equal for those that links join.
std::vector<int> components_of(const Network& network);

/// Number of components.
int component_count(const Network& network);

}  // namespace narrows
