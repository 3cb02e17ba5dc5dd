#pragma once

#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/shortest_spread.hpp"
#include "topologies/routes/traffic.hpp"

namespace narrows::testing {

/// A connected network of `hosts` and `switches`: a random tree and `more` random edges, some of them parallel.
Network random_network(unsigned seed, int hosts, int switches, int more);

/// So many random demands between different hosts.
Traffic random_traffic(unsigned seed, int hosts, int demands);

/// The part of the loads of `uniform_shortest_loads` that comes from one host.
LinkLoads uniform_loads_from(const Network& network, Split split, int source);

/// The pairs of uniform traffic one by one.
Traffic listed_uniform(int hosts);

/// The same network with its vertices of each kind, its edges and their ends in another order.
Network shuffled(Network network, unsigned seed);

/// Loads of demands between any vertices when every shortest path that a walk through all of them finds carries as
/// much.
LinkLoads enumerated_loads(const Network& network, const std::vector<Demand>& demands);

/// What every vertex sends beyond what it receives, by the loads of its links.
std::vector<double> excess(const Network& network, const LinkLoads& loads);

/// The same by the traffic.
std::vector<double> excess(const Network& network, const Traffic& traffic);

/// Fails the test unless all loads are the same but for rounding.
void check_equal(const LinkLoads& a, const LinkLoads& b);

/// Fails the test unless loads are ≥ 0 and traffic is conserved at every vertex.
void check_conserved(const Network& network, const LinkLoads& loads, const Traffic& traffic);

}  // namespace narrows::testing
