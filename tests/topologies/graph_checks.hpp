#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace narrows::testing {

/// Links at every vertex.
std::vector<int> degrees(const Network& network);

/// Whether no link is a loop and no two vertices share two.
bool is_simple(const Network& network);

/// Links of the shortest cycle of a simple network, 0 when there is none.
int girth(const Network& network);

/// Checks that nodes, links, degree and distances are those of the graph, which is connected.
void check_sizes(const Topology& topology);

/// Checks that the brackets contain B, α and φ found by exhaustive search.
void check_cuts(const Topology& topology);

/// Checks that they are B, α and φ of that search.
void check_exact_cuts(const Topology& topology);

/// What parsing `spec` complains about, "no error" if it does not.
std::string complaint(const std::string& spec);

}  // namespace narrows::testing
