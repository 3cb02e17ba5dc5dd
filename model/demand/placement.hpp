#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.hpp"
#include "topologies/boundaries.hpp"
#include "topologies/routes/routing.hpp"
#include "topologies/topology.hpp"

namespace narrows {

/// A job's ranks on its nodes.
struct RankPlaces {
    std::int64_t nodes = 1;
    std::int64_t ranks_per_node = 1;
    std::vector<int> node_of_rank;  ///< empty: consecutive ranks fill node after node

    std::int64_t ranks() const { return nodes * ranks_per_node; }
    int node(std::int64_t rank) const {
        return static_cast<int>(node_of_rank.empty() ? rank / ranks_per_node : node_of_rank[rank]);
    }
};

/// How ranks lie on nodes, and on which network.
struct Placement : RankPlaces {
    double workers = 1;                           ///< processors that work at once, on all nodes
    std::vector<int> shape;                       ///< of the ranks, the first dimension fastest
    Topology network;                             ///< of the nodes; a single node has none to speak of
    std::shared_ptr<const BoundedNetwork> graph;  ///< of the nodes, where no formula gives their network
    std::optional<Routing> routing;               ///< on that network, where it is known
};

/// Whether the machine says what joins its nodes, or was put on a network that was searched.
bool has_network(const Machine& machine);

/// The network of `nodes` of the machine: the partition listed for that size, else the most cubic shape of the family
/// that the next larger listed partition (or the whole machine) has. InputError when the machine has no topology or
/// fewer nodes.
Topology partition(const Machine& machine, std::int64_t nodes);

/// Whether there is that network, listed or with room in the machine's topology: a line of 199 nodes has none in
/// `mesh 30x31`.
bool has_room(const Machine& machine, std::int64_t nodes);

/// `partition` for who asks only how far nodes are from each other: where switches connect any of them alike, and where
/// no formula gives a part's cuts, the whole machine's.
Topology network_of(const Machine& machine, std::int64_t nodes);

/// Processors of a node that compute in the mode which uses most of them; 1 where the machine does not say.
std::int64_t processors_of_node(const Machine& machine);
/// Turns that so many ranks of a node take on each of them, at least 1; 1 where the machine does not say.
double turns_on_processors(const Machine& machine, std::int64_t ranks_per_node);

/// How ranks of one node are arranged when nobody says: the most cubic shape of at most three dimensions, each of at
/// least two ranks; one rank is `1`.
std::vector<int> default_rank_shape(std::int64_t ranks);

/// Nodes of each rank by a rule: `consecutive` (empty), `round-robin` (rank r on node r mod N), `random:SEED` (every
/// placement of as many ranks a node is as likely; the same on every machine). InputError for another rule, and for
/// more than 2^26 ranks of any but the first.
bool placed_by_rule(std::string_view text);
std::vector<int> placed_ranks(std::string_view rule, std::int64_t nodes, std::int64_t ranks_per_node);

/// `listed`, which must be even as below, or without it those of the rule.
std::vector<int> nodes_of_ranks(const std::vector<int>& listed, std::string_view rule, std::int64_t nodes,
                                std::int64_t ranks_per_node);

/// The nodes that a file names for the ranks in their order, by numbers from 0, parted by spaces, commas or line ends;
/// # begins a comment. InputError with line and column.
std::vector<int> listed_nodes(std::string_view text, const std::string& file, std::int64_t nodes);

/// InputError unless every one of the nodes has as many of the ranks listed.
void require_even(const std::vector<int>& node_of_rank, std::int64_t nodes, std::int64_t ranks_per_node);

/// Networks of up to so many links are written out where no formula gives their leaves and pods.
inline constexpr std::int64_t most_links_written_out = 1 << 20;

/// Whether the fullest link is looked for: the routing is known, and there are at most 4096 nodes and 2^20 links.
bool can_be_routed(const Placement& placement);

/// What `network.routing` says, if it says anything.
std::optional<Routing> routing_of(const Machine& machine);

/// InputError for more nodes than the machine's topology has.
void require_nodes(const Machine& machine, std::int64_t nodes);

}  // namespace narrows
