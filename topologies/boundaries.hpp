#pragma once

#include <vector>

#include "topologies/closed_forms.hpp"
#include "topologies/cut/cut.hpp"
#include "topologies/graph.hpp"

namespace narrows {

/// Hosts in groups that the links of their switches join to the rest.
struct Boundary {
    std::vector<int> group;     ///< of each host
    std::vector<double> links;  ///< capacity of the links that leave each group, one way
};

/// The groups of hosts that few links join to the rest, smallest first: the hosts that share a switch (a leaf), then
/// those that are joined without the vertices farther than 1, 2, ... links from all hosts (pods), before that without
/// the links between vertices as far, and with those of them that close triangles alone (a dragonfly's groups). None of
/// all hosts, none twice, and none where hosts are joined to each other alone. Precondition: a valid network.
/// Test: tests/topologies/test_boundaries.cpp
std::vector<Boundary> boundaries(const Network& network);

/// The two sides of a cut of the network.
Boundary boundary_of(const Network& network, const Cut& cut);

/// The halves of `hosts` of a network along its dimensions: of the first, or of those that have these numbers in it.
std::vector<Boundary> boundaries_of(const std::vector<HostHalves>& halves, int hosts,
                                    const std::vector<int>& numbers = {});

/// A network, with divisions of its hosts whose links bound any traffic.
struct BoundedNetwork {
    Network network;
    std::vector<Boundary> groups;  ///< its `boundaries`
    std::vector<Boundary> cuts;    ///< others, each of two sides
};

/// Capacity of the links of each host, one way.
std::vector<double> host_links(const Network& network);

}  // namespace narrows
