#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/demand/slab_count.hpp"
#include "topologies/boundaries.hpp"
#include "topologies/routes/grid_routes.hpp"
#include "topologies/routes/routing.hpp"
#include "topologies/routes/traffic.hpp"
#include "topologies/topology.hpp"

namespace narrows {

/// What messages between pairs of nodes, all at once, ask of the servers on the way of the farthest and fullest of
/// them, or of one of them.
struct PairLoads {
    int links = 1;       ///< that the pair is apart, at least 1
    double leaving = 1;  ///< messages that leave or come to the fuller of its nodes
    double host = 1;     ///< of these over a link of the node, where it hangs on a switch
    double shared = 0;  ///< over a link of the fullest boundary that the message crosses (leaf, pod, group, or the node
                        ///< of a network without switches), of a cut of a grid; the fullest link by a known routing

    friend bool operator==(const PairLoads&, const PairLoads&) = default;
};

/// The network between a job's nodes: how far messages go, and what they share.
class NodeNetwork {
  public:
    /// `graph` where no formula gives the network. A known routing is followed: dimension order on grids of any size,
    /// else on networks of up to 1024 nodes that can be written out. On trees up-down and shortest routes need not be:
    /// they load what the bounds say.
    NodeNetwork(const Topology& topology, std::shared_ptr<const BoundedNetwork> graph,
                std::optional<Routing> routing = std::nullopt);
    NodeNetwork() = default;  ///< a single node

    /// Nodes that are counted: of larger networks the first 2^20.
    int nodes() const { return nodes_; }
    /// Links on a shortest way. Of large networks of unknown structure the diameter, or the farthest from one node. By
    /// Valiant's routing `detour`, where that is known.
    int links_between(int a, int b) const;
    /// Links of any message by Valiant's routing: twice the mean way to a router that hosts hang on, though it may
    /// choose those without hosts too; of large networks the mean from some hosts. 0 by others, and where there is no
    /// way.
    int detour() const { return detour_; }
    /// Statement: each load the largest over its servers of the messages that must cross, each way, over the links.
    ///            On a graph none is below the links that all messages walk over all links that there are.
    /// Range:     any routing.
    /// Test:      tests/model/demand/test_node_network.cpp (enumeration)
    PairLoads loads(const std::vector<std::pair<int, int>>& messages) const;

    /// Whether what is shared are the links of leaves or pods.
    bool has_uplinks() const { return !blocks_.empty() || !boundaries_.empty(); }
    const std::vector<int>& grid() const { return grid_; }
    /// Links of a node of a network without switches; else 0.
    double degree() const { return degree_; }
    /// Whether what messages share on a grid is of its dimensions alone, so that where all lines along some of them do
    /// the same, one tells: the grid of dimensions first ... end - 1.
    bool has_lines() const { return !grid_.empty() && !written_ && nodes_ == grid_nodes_; }
    NodeNetwork lines(std::size_t first, std::size_t end) const;
    /// Whether all that messages share are blocks of consecutive nodes, each block of smaller ones: `blocks`.
    bool in_blocks() const { return nodes_ == 1 || (tree_ && !routing_); }
    const std::vector<HostBlocks>& blocks() const { return blocks_; }
    /// Of such a network: so many messages leave or come to the fullest node, and to the fullest block of each size.
    PairLoads crossing_blocks(double leaving, const std::vector<double>& crossing) const;
    /// Steps that following the route of a message takes about; 0 where messages are not followed link by link.
    double cost_of_routing() const;
    /// From now on none is.
    void leave_out_routing() { routing_.reset(); }
    /// Whether a routing is known, but loads are the bounds of any.
    bool ignores_routing() const { return known_ && !routing_ && !bounds_are_exact_; }

    /// Each of the first `ranks` ranks, so many consecutive ones on a node, sends to the one `step` further on, modulo
    /// `ranks`. Of trees and grids; nothing where no formula gives it. O(dimensions).
    /// Source: derived: out of b ranks in a row go b - max(0, b - k) - max(0, b - (P - k)); of the ranks of a line of a
    /// grid each goes as far as the others but for a carry. Test: as `loads` (counted rank by rank)
    std::optional<PairLoads> rotation(std::int64_t step, std::int64_t ranks, std::int64_t ranks_per_node) const;

    /// Whether `rotation` of P - k is that of k; where ties go onwards, the ranks of a node break that.
    bool rotations_mirror(std::int64_t ranks_per_node) const {
        return grid_.empty() || !known_ || !known_->ties_onwards || ranks_per_node == 1;
    }
    /// Whether it asks no less of any server with every step, up to half of the ranks.
    bool rotations_rise() const { return grid_.empty(); }

    /// The mean over all rotations: of each server the messages of all rounds over their number, so that the fullest is
    /// that of all together. Of any placement with as many ranks on each of the first `nodes`. With `at_once` so many
    /// times that: all of them together are P - 1 times the mean.
    PairLoads mean_of_rotations(std::int64_t nodes, std::int64_t ranks_per_node, double at_once = 1) const;

  private:
    friend class PairCount;
    void measure_distances(const Network& network);

    int nodes_ = 1;
    std::int64_t grid_nodes_ = 1;
    double degree_ = 0;
    std::vector<int> grid_;    ///< of a grid, whose distances follow from coordinates
    std::vector<bool> wraps_;  ///< for each of its dimensions
    std::vector<Boundary> boundaries_;
    std::vector<HostBlocks> blocks_;  ///< others, which a formula gives
    std::vector<HostHalves> halves_;  ///< of routers that hosts hang on
    std::vector<Boundary> cuts_;
    std::vector<double> host_links_;       ///< where hosts hang on switches
    bool tree_ = false;                    ///< whether each boundary between two nodes adds a link up and one down
    std::vector<std::size_t> entry_;       ///< of each node: the vertex that it hangs on, or itself
    std::size_t entries_ = 0;              ///< different ones
    std::vector<std::uint16_t> distance_;  ///< between all entries, where nothing else gives it; may be empty
    int near_ = 0;                         ///< links from and to entries
    double room_ = 0;  ///< links between entries, one way and the other, where messages go the shortest way; else 0
    int diameter_ = 1;
    int detour_ = 0;
    std::optional<Routing> known_;    ///< of networks of any size
    bool bounds_are_exact_ = false;   ///< on a tree the bounds are what up-down and shortest routes load
    std::optional<Routing> routing_;  ///< where messages are routed, with all that takes:
    std::shared_ptr<const BoundedNetwork> written_;
};

/// Counts the messages of a round: first all are added, then what they ask together is known of each.
class PairCount {
  public:
    /// Of messages between the first `nodes`.
    PairCount(const NodeNetwork& network, int nodes);

    void add(int from, int to, std::int64_t alike = 1);  ///< so many, between two different nodes
    void finish();
    PairLoads of(int from, int to) const;
    PairLoads worst() const { return worst_; }

  private:
    struct Groups {
        const std::vector<int>* group;  ///< of each node; null: so many `hosts` in a row are one
        int hosts;
        const std::vector<double>* links;  ///< of each group; null: `links_each`
        double links_each;
        std::vector<std::int64_t> out, in;

        int of(int node) const { return group != nullptr ? (*group)[node] : hosts == 1 ? node : node / hosts; }
        double links_of(int number) const { return links != nullptr ? (*links)[number] : links_each; }
    };
    double over_links(const Groups& groups, int from, int to) const;
    double fullest_slab() const;
    double fullest_link() const;

    const NodeNetwork& network_;
    Groups nodes_;
    std::vector<Groups> boundaries_;
    std::vector<SlabCount> slabs_;      ///< of each dimension of a grid
    std::optional<GridRoutes> routes_;  ///< in dimension order
    Traffic traffic_;                   ///< else
    double walked_ = 0;                 ///< links, by all messages, of the least that any routing takes
    double everywhere_ = 0;             ///< of the fullest cut and link
    PairLoads worst_;
};

}  // namespace narrows
