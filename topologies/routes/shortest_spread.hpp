#pragma once

#include <cstdint>
#include <vector>

#include "topologies/routes/adjacency.hpp"

namespace narrows {

/// How traffic is divided among shortest paths, whose length is counted in links.
/// - by_paths: every shortest path from source to target carries the same share. Parallel edges make paths of their
/// own.
/// - by_hop: traffic for a vertex is divided equally over the last links of all shortest paths to it, and that which
///   each of these needs at its other end likewise, back to the source. Less work, and as feasible.
enum class Split { by_paths, by_hop };

/// Sends traffic from one vertex at a time along shortest paths and sums the loads of the arcs (Brandes, "A faster
/// algorithm for betweenness centrality", J. Math. Sociology 25 (2001): one search and one backward accumulation a
/// source). Nothing allocates after construction. `arcs` must outlive this.
class ShortestSpread {
  public:
    ShortestSpread(const Adjacency& arcs, Split split);

    /// Sends demand[v] from `source` to every vertex v; what is demanded of `source` itself needs no link. Returns
    /// whether all that demands something was reached; if not, nothing has been added. Throws InputError when there
    /// are too many shortest paths to count (above 1e300; only by_paths).
    bool send(int source, const std::vector<double>& demand);

    /// The vertices that the last `send` reached, nearest first.
    const int* begin() const { return order_.data(); }
    const int* end() const { return order_.data() + reached_; }

    /// The traffic that came along each arc to the vertex that the arc is listed at, from all sources so far.
    const std::vector<double>& loads() const { return load_; }

  private:
    void search(int source);
    void count_paths();
    void send_back_by_hop();
    void send_back_by_paths();
    bool all_reached(const std::vector<double>& demand) const;

    const Adjacency& arcs_;
    Split split_;
    int reached_ = 0;
    std::vector<int> order_;
    /// Distance from the source modulo 4, which says as much among neighbours and stays in the cache.
    std::vector<std::uint8_t> level_;
    std::vector<double> paths_;
    std::vector<double> needed_;
    std::vector<double> load_;
    std::vector<double> inverse_;
};

}  // namespace narrows
