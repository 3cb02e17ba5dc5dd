#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/shortest_spread.hpp"

namespace narrows {

/// Loads of uniform traffic (every host sends 1/(N−1) to each other host) along all shortest paths, divided as `split`
/// says. This is a feasible flow, whatever the network, and so a proof: φ ≥ t ≥ `allowed_rate`/(N−1). Sums of positive
/// terms alone: the relative rounding error of a load is below (N + diameter · (degree + 2)) · 2⁻⁵².
///
/// Works on `threads` threads (≥ 1), groups of hosts dealt out in turn, the threads' sums added in order: the same
/// result every time for as many threads. O(N · edges) operations; each thread has 64 bytes a vertex (by_paths 128) and
/// 16 an edge. `stop` is asked on the calling thread after each of its groups of eight hosts; when it says true, there
/// is no result. Throws std::logic_error unless `network` is valid, InputError when a host cannot reach another and as
/// `ShortestSpread::send`.
std::optional<LinkLoads> uniform_shortest_loads(const Network& network, Split split, int threads = 1,
                                                const std::function<bool()>& stop = {});

/// The same, but what was done when `stop` ended it is kept: at least eight hosts' loads a thread, of groups of hosts
/// in a random order that is the same every time.
struct LoadsOfSome {
    LinkLoads loads;
    /// The hosts whose loads are in, ascending.
    std::vector<int> sources;
};
LoadsOfSome uniform_loads_until(const Network& network, Split split, int threads, const std::function<bool()>& stop);

}  // namespace narrows
