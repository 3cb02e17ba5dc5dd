#pragma once

#include <cstdint>
#include <vector>

#include "topologies/graph.hpp"

namespace narrows {

/// A division of all vertices by METIS 5 (multilevel recursive bisection) with about `fraction` of the hosts on the
/// counted side. Capacities are rounded to whole multiples of 1/1000 of the least. Deterministic for a seed.
/// Precondition: valid, 0 < fraction < 1, fewer than 2³¹ ends of links.
std::vector<char> metis_division(const Network& network, double fraction, std::uint32_t seed);

/// Halves by Scotch 7 with its quality strategy and an imbalance of 1e-4, which finds the best bisection of large tori
/// where METIS stops 6 to 16 % above it. Precondition: valid, fewer than 2³¹ ends of links.
std::vector<char> scotch_halves(const Network& network, std::uint32_t seed);

}  // namespace narrows
