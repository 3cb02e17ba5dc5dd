#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// By vertex, hosts and switches alike, the number of its component, from 0: equal for those that links join. They are
/// in the order of their first vertices, so that those without hosts come last.
std::vector<int> components_of(const Network& network);

/// The same network where each component without hosts has a link to host 0, which changes neither what any cut of the
/// hosts has to carry nor what they can send to each other: switches that nothing uses do not make it disconnected.
Network with_idle_switches_joined(Network network);

/// Number of components.
int component_count(const Network& network);

}  // namespace narrows
