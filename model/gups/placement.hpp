#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/demand/placement.hpp"
#include "model/machine.hpp"

namespace narrows {

/// The codes of RandomAccess that can be predicted.
enum class GupsCode { sequential, naive, bucketed, routed, shmem };

/// What is asked of RandomAccess. What is not given follows the machine's defaults.
struct GupsQuery {
    GupsCode variant = GupsCode::naive;
    std::int64_t nodes = 1;
    std::optional<std::int64_t> ranks_per_node = {};
    std::string mode = {};                  ///< a name below `node.modes`
    std::string messaging = {};             ///< a name below `protocols`
    std::vector<int> shape = {};            ///< of all ranks, or of the nodes
    std::optional<Data> table = {};         ///< of all ranks together; default: `default_table`
    std::optional<double> updates = {};     ///< of all ranks together; default: four times the table's words
    std::optional<int> bucket = {};         ///< updates a bucket holds; default: `routed_bucket` of the shape; naive: 1
    double test_interval = 1;               ///< bucketed: updates between tests of the previous send
    bool small_pages = false;               ///< 4 KiB pages instead of 2 MiB
    std::string placement = "consecutive";  ///< a rule of `placed_ranks`
    std::vector<int> node_of_rank = {};     ///< the node of each rank, in place of the rule; may be empty
    double background = 0;                  ///< share of the links that others take
    bool without_memory = false;            ///< the memory's bandwidth is no server, as in a paper that leaves it out
    bool all_remote = false;                ///< every destination is on another node, as in a paper that takes it so
};

/// Ranks, processors, shape and network that the query means. InputError for an unknown mode, a shape that matches
/// neither nodes nor ranks, no nodes, or more ranks than 2^40.
Placement place(const Machine& machine, const GupsQuery& query);

}  // namespace narrows
