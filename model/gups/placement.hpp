#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.hpp"
#include "topologies/topology.hpp"

namespace narrows {

/// What stands between the two in the id of a composed machine: `laptop on torus 8x8`.
inline constexpr std::string_view composed_on = " on ";

/// The codes of RandomAccess that can be predicted.
enum class GupsCode { sequential, naive, bucketed, routed, shmem };

/// What is asked of RandomAccess. What is not given follows the machine's defaults.
struct GupsQuery {
    GupsCode variant = GupsCode::naive;
    std::int64_t nodes = 1;
    std::optional<std::int64_t> ranks_per_node;
    std::string mode;               ///< a name below `node.modes`
    std::string messaging;          ///< a name below `messaging`
    std::vector<int> shape;         ///< of all ranks, or of the nodes
    std::optional<Data> table;      ///< of all ranks together; default: 32 MiB, or 8 KiB a rank if that is more
    std::optional<double> updates;  ///< of all ranks together; default: four times the table's words
    std::optional<int> bucket;      ///< updates a bucket holds; default: `routed_bucket` of the shape
    double test_interval = 1;       ///< bucketed: updates between tests of the previous send
    bool small_pages = false;       ///< 4 KiB pages instead of 2 MiB
};

/// How ranks lie on nodes, and on which network.
struct Placement {
    std::int64_t nodes = 1;
    std::int64_t ranks_per_node = 1;
    double workers = 1;      ///< processors that work at once, on all nodes
    std::vector<int> shape;  ///< of the ranks
    Topology network;        ///< of the nodes; a single node has none to speak of

    std::int64_t ranks() const { return nodes * ranks_per_node; }
};

/// The network of `nodes` of the machine: the partition listed for that size, else the most cubic shape of the family
/// that the next larger listed partition (or the whole machine) has. InputError when the machine has no topology or
/// fewer nodes.
Topology partition(const Machine& machine, std::int64_t nodes);

/// The same for who asks only how far nodes are from each other: where switches connect any of them alike, the whole
/// machine's.
Topology network_of(const Machine& machine, std::int64_t nodes);

/// InputError for more nodes than the machine's topology has.
void require_nodes(const Machine& machine, std::int64_t nodes);

/// How ranks of one node are arranged when nobody says: the most cubic shape of at most three dimensions, each of at
/// least two ranks; one rank is `1`.
std::vector<int> default_rank_shape(std::int64_t ranks);

/// Ranks, processors, shape and network that the query means. InputError for an unknown mode, a shape that matches
/// neither nodes nor ranks, no nodes, or more ranks than 2^40.
Placement place(const Machine& machine, const GupsQuery& query);

}  // namespace narrows
