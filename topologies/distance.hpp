#pragma once

#include <optional>
#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// Distances between hosts, in links.
struct Distances {
    int diameter = 0;
    /// Over ordered pairs of distinct hosts; 0 when there is one host.
    double mean = 0;
};

/// Measured by a breadth-first search from every host, in O(hosts · edges); nothing when some host cannot reach
/// another, or when stopped, which is polled after each host. Throws std::logic_error unless `network` is valid.
std::optional<Distances> host_distances(const Network& network, const Stop& stop = never_stop);

/// Links from each vertex to the nearest of these, by vertex; -1 where there is no way. O(links).
std::vector<int> links_from(const Adjacency& arcs, std::vector<int> vertices);

/// The same to the nearest host.
std::vector<int> levels_above_hosts(const Network& network, const Adjacency& arcs);

}  // namespace narrows
