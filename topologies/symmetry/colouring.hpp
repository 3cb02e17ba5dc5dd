#pragma once

#include <cstdint>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/stop.hpp"

namespace narrows {

/// Colours of vertices that an isomorphism keeps: two vertices of different colour cannot be mapped to each other.
struct Colouring {
    std::vector<std::uint64_t> colour;
    /// Different colours.
    int count = 0;
    /// Equal for the colourings of two isomorphic networks that were refined in the same way.
    std::uint64_t fingerprint = 0;
};

/// Refines colours by those of neighbours until no more vertices differ (Weisfeiler and Leman 1968). Colours are
/// hashes: two that are the same by chance make vertices look alike, so that whoever relies on them checks the mapping.
class Refiner {
  public:
    /// Links of the vertices of `network`; capacities are colours of links. Once `stop` says so, colours are refined no
    /// further.
    explicit Refiner(const Network& network, Stop stop = never_stop);

    int vertices() const { return static_cast<int>(first_.size()) - 1; }
    Colouring refine(std::vector<std::uint64_t> colour);
    /// `colouring` with a colour of its own for `vertex`, refined.
    Colouring single_out(const Colouring& colouring, int vertex);
    /// Whether `image`, one a vertex, takes links to links of the same capacity.
    bool keeps_links(const std::vector<int>& image) const;
    /// Vertices and links visited so far.
    double work() const { return work_; }

  private:
    struct Arc {
        int target = 0;
        std::uint64_t label = 0;
    };
    int count_different(const std::vector<std::uint64_t>& colour);

    Stop stop_;
    std::vector<int> first_;
    std::vector<Arc> arcs_;
    std::vector<std::uint64_t> seen_;  ///< a table of colours, 0 where free
    double work_ = 0;
};

/// A thorough mixing of the bits of `value` (Steele, Lea and Flood 2014, the finaliser of SplitMix).
std::uint64_t mixed(std::uint64_t value);

}  // namespace narrows
