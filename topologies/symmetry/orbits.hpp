#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// A renaming of vertices, hosts to hosts, that takes links to links of the same capacity: pairs of a vertex and its
/// image. Vertices that are not named stay.
struct Automorphism {
    std::vector<std::pair<int, int>> moved;
};

/// What the group that some automorphisms generate makes of a network: two hosts, or two links, of one orbit are
/// interchangeable.
struct Orbits {
    /// One host of each orbit.
    std::vector<int> host;
    /// Hosts in its orbit.
    std::vector<double> hosts;
    /// By link, the number of its orbit.
    std::vector<int> of_edge;
    int edge_orbits = 0;

    /// Whether any host can take the place of any other.
    bool host_transitive() const { return host.size() == 1; }
};

/// The orbits under `automorphisms`, or nothing unless each of them is one: every link of every vertex that moves is
/// looked up at its image. O(links at moved vertices). Precondition: valid.
std::optional<Orbits> orbits_of(const Network& network, const std::vector<Automorphism>& automorphisms);

/// The mean of `values`, one a link, over each orbit. What a flow loads, averaged over its images under the group.
void even_out_orbits(const Orbits& orbits, std::vector<double>& values);

}  // namespace narrows
