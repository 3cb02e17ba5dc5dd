#pragma once

#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// The edges of a network sorted by vertex: an edge is two arcs, one at each of its ends. The arcs at vertex v are
/// `first[v]` … `first[v + 1] − 1`, in the order of the edges.
struct Adjacency {
    std::vector<int> first;
    std::vector<int> target;  ///< of an arc: the vertex at its other end
    std::vector<int> edge;    ///< of an arc

    /// Throws std::logic_error unless `network` is valid and within `graph_limit`.
    explicit Adjacency(const Network& network);

    int vertices() const { return static_cast<int>(first.size()) - 1; }
};

}  // namespace narrows
