#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// Hosts in groups that the links of their switches join to the rest.
struct Boundary {
    std::vector<int> group;     ///< of each host
    std::vector<double> links;  ///< capacity of the links that leave each group, one way
};

/// The groups of hosts that few links join to the rest, smallest first: the hosts that share a switch (a leaf), then
/// those that are joined without the vertices farther than 1, 2, ... links from all hosts (pods). None of all hosts,
/// none twice, and none where hosts are joined to each other alone. Precondition: a valid network.
/// Test: tests/topologies/test_boundaries.cpp
std::vector<Boundary> boundaries(const Network& network);

/// Capacity of the links of each host, one way.
std::vector<double> host_links(const Network& network);

}  // namespace narrows
