#pragma once

#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/graph.hpp"

namespace narrows {

/// The traffic that each edge of a network carries, both ways apart, in the units of the demands: with traffic in which
/// every host offers 1, a link of load 8 carries what eight hosts offer. Nothing here is NaN or negative.
struct LinkLoads {
    std::vector<double> forward;   ///< of edge i from its u to its v
    std::vector<double> backward;  ///< of edge i from its v to its u
    double demand = 0;             ///< all the traffic that is routed, from hosts to other hosts
};

/// One way of one edge and what it carries.
struct LinkLoad {
    int edge = 0;
    int from = 0;
    int to = 0;
    double load = 0;
    /// load / capacity. A rate of 1/share fills the link.
    double share = 0;
};

/// Loads of zero for the edges of `network`.
LinkLoads no_loads(const Network& network);

/// The loads of edges from those of arcs. `away[a]` is the traffic that leaves the vertex that arc a is listed at, and
/// `towards[a]` that which comes to it; either may be empty. Precondition: `arcs` is of `network`.
LinkLoads loads_of_arcs(const Network& network, const Adjacency& arcs, const std::vector<double>& away,
                        const std::vector<double>& towards);

/// Adds `more`, `times` over, to `loads`. Precondition: of the same network.
void add_loads(LinkLoads& loads, const LinkLoads& more, double times = 1);

/// The fullest n ways of edges by `share`, fullest first; of equals the one with the lesser edge, forward before
/// backward. Fewer when there are fewer. Precondition of this and all below: `loads` is of `network`.
std::vector<LinkLoad> hottest_links(const Network& network, const LinkLoads& loads, int n);

/// Largest load/capacity; 0 without traffic.
double fullest_share(const Network& network, const LinkLoads& loads);

/// The rate at which every demand can be scaled before a link is full: 1/`fullest_share`, infinite without traffic.
/// With traffic in which every host offers 1 it is what a host can send, in units of the capacities; with uniform
/// traffic, divided by N−1, it is a feasible uniform concurrent flow.
double allowed_rate(const Network& network, const LinkLoads& loads);

/// Mean of the loads over both ways of all edges; 0 without edges.
double mean_load(const LinkLoads& loads);

/// Links that a unit of traffic crosses: Σ loads / Σ demands; 0 without traffic.
double mean_hops(const LinkLoads& loads);

}  // namespace narrows
