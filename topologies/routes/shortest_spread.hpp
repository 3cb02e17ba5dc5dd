#pragma once

#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/routes/lanes.hpp"

namespace narrows {

/// How traffic is divided among shortest paths, whose length is counted in links.
/// - by_paths: every shortest path from source to target carries the same share. Parallel edges make paths of their
/// own.
/// - by_hop: traffic for a vertex is divided equally over the last links of all shortest paths to it, and that which
///   each of these needs at its other end likewise, back to the source. Less work, and as feasible.
enum class Split { by_paths, by_hop };

/// Sends traffic from up to eight vertices (`Lanes::count`) at a time along shortest paths and sums the loads of the
/// arcs: one breadth-first search and one backward accumulation (Brandes, "A faster algorithm for betweenness
/// centrality", J. Math. Sociology 25 (2001)) for all of them together, which is quickest when they are near each
/// other: a vertex is then visited once for each distance that it has from them, rather than once for each of them.
class ShortestSpread {
  public:
    /// Every source demands `everywhere[v]` of vertex v; empty is nothing. `arcs` must outlive this.
    ShortestSpread(const Adjacency& arcs, Split split, std::vector<double> everywhere);

    /// Demands `amount` of vertex `to` from the source number `lane` of the next `send`. Preconditions: lane < 8, `to`
    /// can be reached from it.
    void demand(int lane, int to, double amount) { needed_[to].set(lane, needed_[to][lane] + amount); }

    /// Sends what is demanded from `sources`. What is demanded of a source by itself needs no link. Precondition: at
    /// most eight sources, that reach all that is demanded of them. Throws InputError when there are too many shortest
    /// paths to count (above 1e300; only by_paths); this is then of no more use.
    void send(const std::vector<int>& sources);

    /// The traffic that came along each arc to the vertex that the arc is listed at, from all sources so far.
    const std::vector<double>& loads() const { return load_; }

  private:
    using Bits = Lanes::Mask;
    /// A vertex and the sources that have it at the distance of the level that this is listed in.
    struct Visit {
        int vertex = 0;
        Bits bits = 0;
    };

    void search(const std::vector<int>& sources);
    bool extend();
    void sort_fresh(int found);
    void mark(int level);
    void unmark(int level);
    void count_paths();
    void count_paths_to(const Visit& visit);
    void prefetch(std::size_t i) const;
    template <Split split>
    void send_back();
    template <Split split>
    void pass_on(const Visit& visit);
    template <Split split>
    void find_shares(const Visit& visit, Lanes& share) const;

    const Adjacency& arcs_;
    Split split_;
    std::vector<double> everywhere_;
    std::vector<Visit> visits_;      ///< level by level
    std::vector<std::size_t> from_;  ///< where each level begins in `visits_`, and the end
    std::vector<Bits> seen_;
    std::vector<Bits> here_;  ///< bits of the vertices of one level, and zeros up to a multiple of eight
    std::vector<int> fresh_;
    std::vector<Lanes> needed_;
    std::vector<Lanes> paths_;
    std::vector<double> load_;
};

}  // namespace narrows
