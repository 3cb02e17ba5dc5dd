#pragma once

#include <optional>
#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/graph.hpp"
#include "topologies/stop.hpp"
#include "topologies/symmetry/orbits.hpp"

namespace narrows {

/// How one unit of flow for every ordered pair of hosts is sent: over the paths that are shortest by `length`. One
/// number each a link, positive; empty means 1 for all.
struct Spread {
    std::vector<double> length;
    std::vector<double> weight;
    /// A path's share is in proportion to the product of its links' weights, which evens out well but leaves the range
    /// of doubles on long paths; or, by hop, what is wanted at a vertex is divided over the last links of the shortest
    /// paths to it in proportion to their weights, and so on back to the source.
    bool by_hop = false;
};

/// What a spread puts on the links.
struct SpreadLoads {
    /// By link, both directions together. Sent back as it came, the flow of a pair halves them: each direction carries
    /// half.
    std::vector<double> load;
    /// Σ over ordered pairs of hosts of their distance by `length`.
    double distance = 0;
    /// Whether all that was wanted left its source; false when lengths differ so much that sums absorb them, or
    /// products of weights leave the range of doubles.
    bool complete = true;
};

/// Sends uniform traffic over one network again and again.
class Spreader {
  public:
    /// `threads` ≥ 1. With `orbits` of the network one host of each orbit sends, as often as there are hosts in it, and
    /// loads are means over orbits: what all hosts would load, if lengths and weights are the same within orbits, and a
    /// feasible flow in any case. All must outlive this. Precondition: valid network with at least two hosts.
    Spreader(const Network& network, int threads, const Orbits* orbits = nullptr);

    /// The loads of `spread`: a feasible flow whatever the numbers in it are, as long as they are positive. Nothing
    /// when stopped or when a host cannot reach another.
    std::optional<SpreadLoads> send(const Spread& spread, const Stop& stop) const;

  private:
    struct Scratch;
    void search_by_hops(int source, Scratch& scratch) const;
    bool search(int source, double times, const Spread& spread, Scratch& scratch) const;
    template <class Visit>
    void last_links(int v, const Spread& spread, const Scratch& scratch, Visit visit) const;
    void load(double times, const Spread& spread, Scratch& scratch) const;

    const Network& network_;
    int threads_;
    const Orbits* orbits_;
    Adjacency arcs_;
};

}  // namespace narrows
