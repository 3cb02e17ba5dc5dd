#pragma once

#include <vector>

#include "topologies/graph.hpp"
#include "topologies/symmetry/orbits.hpp"

namespace narrows {

/// The orbits under `automorphisms`, with code of its own: the links that a renaming touches are listed before and
/// after it, and the two lists must be the same. Throws InputError when one is no automorphism of `network`.
Orbits checked_orbits(const Network& network, const std::vector<Automorphism>& automorphisms);

}  // namespace narrows
