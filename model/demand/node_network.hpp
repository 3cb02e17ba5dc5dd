#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "topologies/boundaries.hpp"
#include "topologies/routes/routing.hpp"
#include "topologies/topology.hpp"

namespace narrows {

/// What messages between pairs of nodes, all at once, ask of the network.
struct PairLoads {
    bool is_grid = false;  ///< what is shared are rings or lines, not uplinks
    int links = 1;         ///< that the farthest pair is apart, at least 1
    double host = 1;  ///< messages that leave or come to the busiest node, over its links where it hangs on a switch
    double shared =
        0;  ///< over a link of the fullest leaf, pod, group or cut of a grid; the fullest by a known routing
};

/// The network between a job's nodes: how far messages go, and what they share.
class NodeNetwork {
  public:
    /// `graph` where no formula gives the network. A routing that is known is followed by up to 1024 nodes.
    NodeNetwork(const Topology& topology, std::shared_ptr<const BoundedNetwork> graph,
                std::optional<Routing> routing = std::nullopt);

    /// Nodes that are looked at: of larger networks the first 2^20.
    int nodes() const { return nodes_; }
    /// Links on a shortest way. Of large networks of unknown structure the diameter, or the farthest from one node.
    int links_between(int a, int b) const;
    /// Statement: each load the largest over its servers of the messages that must cross, each way, over the links.
    /// Range:     any routing. Test: tests/model/demand/test_node_network.cpp (enumeration)
    PairLoads loads(const std::vector<std::pair<int, int>>& messages) const;

  private:
    void add_blocks(const std::vector<HostBlocks>& blocks);
    double fullest_slab(const std::vector<std::pair<int, int>>& messages) const;
    double fullest_link(const std::vector<std::pair<int, int>>& messages) const;
    void measure_distances(const Network& network);

    int nodes_ = 1;
    std::int64_t grid_nodes_ = 1;
    std::vector<int> grid_;    ///< of a grid, whose distances follow from coordinates
    std::vector<bool> wraps_;  ///< for each of its dimensions
    std::vector<Boundary> boundaries_;
    std::vector<Boundary> cuts_;
    std::vector<double> host_links_;       ///< where hosts hang on switches
    bool tree_ = false;                    ///< whether each boundary between two nodes adds a link up and one down
    std::vector<std::size_t> entry_;       ///< of each node: the vertex that it hangs on, or itself
    std::size_t entries_ = 0;              ///< different ones
    std::vector<std::uint16_t> distance_;  ///< between all entries, where nothing else gives it; may be empty
    int near_ = 0;                         ///< links from and to entries
    int diameter_ = 1;
    std::optional<Routing> routing_;  ///< where messages are routed, with all that takes:
    std::shared_ptr<const BoundedNetwork> written_;
    std::vector<int> routed_shape_;
};

}  // namespace narrows
