#pragma once

#include <cstdint>
#include <vector>

#include "topologies/bracket.hpp"
#include "topologies/graph.hpp"

namespace narrows {

/// The most hosts that are searched exhaustively: 2^(hosts−1) subsets, each a flip of one host without switches (about
/// a second at the limit) and a maximum flow with them.
inline constexpr int exhaustive_host_limit = 28;
inline constexpr int exhaustive_host_limit_with_switches = 20;

/// A set of hosts and the capacity of the links that must be cut to part it from the other hosts.
struct HostCut {
    std::vector<int> hosts;
    double capacity = 0;
};

/// The least cuts of a network: `by_size[s − 1]` parts s hosts from the rest, for s = 1 … hosts/2.
struct CutProfile {
    int hosts = 0;
    std::vector<HostCut> by_size;
};

/// Every subset of hosts is tried, in Gray code order; switches take the sides that cut least. Exact for whole
/// capacities. Throws std::logic_error unless `network` is valid and within the limits.
CutProfile exhaustive_cuts(const Network& network);

/// B = min C(S) over |S| = ⌊N/2⌋. 0 for a single host.
Bracket bisection(const CutProfile& profile);
/// α = min C(S)/|S| over |S| ≤ N/2. Infinite for a single host.
Bracket alpha(const CutProfile& profile);
/// φ = min C(S)/(|S|·|S̄|). Infinite for a single host.
Bracket phi(const CutProfile& profile);

}  // namespace narrows
