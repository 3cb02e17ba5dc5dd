#pragma once

#include <vector>

#include "topologies/stop.hpp"
#include "topologies/symmetry/orbits.hpp"

namespace narrows {

struct SymmetryLimits {
    /// Vertices and links that may be visited: 3e9 take some twenty seconds.
    double work = 3e9;
    Stop stop = never_stop;
};

/// Automorphisms that join as many hosts as a search of limited depth finds: first twins, vertices with the same
/// neighbours, such as hosts of one leaf switch; then, with one of each kind of twins left, a host is mapped to another
/// by colouring both sides alike, vertex by vertex, until all colours differ (after McKay, "Practical graph
/// isomorphism", 1981, without his pruning). A mapping is kept only if it takes all links to links.
///
/// What is returned are automorphisms, but perhaps not all that there are: `orbits_of` proves what they prove. Each
/// mapping at least halves the orbits of a vertex-transitive network, so that it has few. Precondition: valid.
std::vector<Automorphism> find_automorphisms(const Network& network, const SymmetryLimits& limits = {});

}  // namespace narrows
