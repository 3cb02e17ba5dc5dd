#pragma once

#include <optional>

#include "topologies/graph.hpp"
#include "topologies/stop.hpp"
#include "topologies/topology.hpp"

namespace narrows {

/// The torus, mesh, hypercube or ring that the network is, link by link and number by number, with links of any one
/// capacity; nothing when it is none or its vertices are numbered otherwise, and when stopped.
/// Test: tests/topologies/test_written_grid.cpp
std::optional<Topology> written_grid(const Network& network, const Stop& stop = never_stop);

}  // namespace narrows
