#pragma once

#include <algorithm>
#include <vector>

#include "topologies/cut/least_cuts.hpp"
#include "topologies/infinity.hpp"

namespace narrows::testing {

/// B, α and φ.
struct LeastNumbers {
    double bisection = 0;
    double alpha = infinity;
    double phi = infinity;
};

/// Of the least cuts of every size, found by search (test_least_cuts.cpp holds it against all divisions).
inline LeastNumbers least_numbers(const Network& network) {
    LeastNumbers found;
    if (network.hosts < 2) return found;
    const SweepLimits limits;
    const std::vector<double> least = least_cuts(network, plan_sweep(network, limits), limits).value();
    found.bisection = least.back();
    for (int size = 1; size <= static_cast<int>(least.size()); ++size) {
        const double capacity = least[static_cast<std::size_t>(size - 1)];
        found.alpha = std::min(found.alpha, capacity / size);
        found.phi = std::min(found.phi, capacity / (static_cast<double>(size) * (network.hosts - size)));
    }
    return found;
}

}  // namespace narrows::testing
