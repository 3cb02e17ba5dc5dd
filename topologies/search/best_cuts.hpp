#pragma once

#include <cstdint>
#include <vector>

#include "topologies/cut/cut.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// The best cuts found for each number.
struct BestCuts {
    Cut bisection;
    Cut alpha;
    Cut phi;
};

/// How hard to look.
struct CutEffort {
    /// Rounds of seeds; fewer when stopped.
    int rounds = 16;
    std::uint64_t seed = 1;
    Stop stop = never_stop;
    TimeLeft left = no_limit;
};

/// Cuts of small capacity over the measure of B, α and φ: those of single hosts and switches, divisions by METIS and
/// Scotch, and balls around vertices, each improved for the very measure. The same for the same seed, unless stopped
/// or short of time, when divisions that would take longer are left out; a connected network always gets a first cut.
/// Precondition: valid, at least two hosts.
BestCuts best_cuts(const Network& network, const CutEffort& effort);

/// Improves `found` until its cuts are as small as `least` says they can be, for at most `effort.rounds` random starts.
/// `least` is what `least_cuts` returned. Whether all three were met.
bool meet(const Network& network, const std::vector<double>& least, const CutEffort& effort, BestCuts& found);

/// The number of hosts at which `least` (by size from 1) has its least α or φ.
int size_of_least(const std::vector<double>& least, int hosts, const CutMeasure& measure);

}  // namespace narrows
