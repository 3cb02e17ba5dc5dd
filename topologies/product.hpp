#pragma once

#include <string>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// The factors of a connected network without switches that is the Cartesian product of two or more smaller ones,
/// largest first; empty for others, and when stopped. In a product two vertices are linked when they differ in one
/// coordinate and are linked there: tori, meshes, hypercubes and HyperX are such, whatever order their vertices are in.
///
/// Colours links by the squares that they span, from the neighbours of one vertex outward (after Imrich and Peterin,
/// "Recognizing Cartesian products in linear time", 2007, simplified: a product whose squares mislead it is not found).
/// What is returned is checked link by link, and so proven whatever the colouring did. O(links · degree²).
std::vector<Network> cartesian_factors(const Network& network, const Stop& stop = never_stop);

/// `torus 64x32x32`, `mesh 8x4` or `hypercube 10` when the factors are rings or paths of equal capacities; a ring of
/// four is the product of two pairs. With one factor (a ring or path that is no product) too. Empty for others.
std::string grid_spec(const std::vector<Network>& factors);

}  // namespace narrows
