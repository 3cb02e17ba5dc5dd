#include "model/gups/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::int64_t ranks_per_node(const Machine& machine, const GupsQuery& query) {
    const auto modes = names_below(machine, "node.modes");
    if (!query.mode.empty() && std::ranges::find(modes, query.mode) == modes.end()) {
        if (!modes.empty())
            refuse_name(fmt::format("machine '{}' has no mode", machine.id), query.mode, modes, Offered::all_it_has,
                        "mode");
        throw InputError(fmt::format("machine '{}' has no modes: say how many ranks a node has", machine.id))
            .of_setting("ranks-per-node");
    }
    if (query.ranks_per_node) return *query.ranks_per_node;
    if (!query.mode.empty()) return static_cast<std::int64_t>(number_at(machine, "node.modes." + query.mode));
    if (!modes.empty()) return static_cast<std::int64_t>(number_at(machine, "node.modes." + modes.front()));
    return processors_of_node(machine);
}

// The shape of the ranks: as asked, or that of the nodes with one dimension more for the ranks of a node.
std::vector<int> rank_shape(const Placement& placement, const GupsQuery& query) {
    const std::int64_t given = query.shape.empty() ? 0 : shape_nodes(query.shape);
    if (given == placement.ranks()) return query.shape;
    if (given != 0 && given != placement.nodes) {
        throw InputError(fmt::format("shape {} has {} places, but there are {} ranks{}: give a shape with as many",
                                     format_shape(query.shape), given, placement.ranks(),
                                     placement.ranks_per_node == 1 ? "" : fmt::format(" on {} nodes", placement.nodes)))
            .of_setting("shape");
    }
    if (placement.nodes == 1) return default_rank_shape(placement.ranks());
    std::vector<int> shape = given != 0 ? query.shape : placement.network.shape();
    if (shape.empty()) shape = default_rank_shape(placement.nodes);
    if (placement.ranks_per_node > std::numeric_limits<int>::max()) {
        throw InputError(fmt::format("{} ranks a node are too many for a dimension of a shape: give fewer",
                                     placement.ranks_per_node));
    }
    if (placement.ranks_per_node > 1) shape.insert(shape.begin(), static_cast<int>(placement.ranks_per_node));
    return shape;
}

}  // namespace

Placement place(const Machine& machine, const GupsQuery& query) {
    Placement placement;
    placement.nodes = query.nodes;
    placement.ranks_per_node = query.variant == GupsCode::sequential ? 1 : ranks_per_node(machine, query);
    if (placement.ranks_per_node < 1 ||
        placement.ranks_per_node > node_limit / std::max<std::int64_t>(1, query.nodes)) {
        throw InputError(
            fmt::format("{} ranks a node on {} nodes are impossible: give at least one rank a node and at "
                        "most 2^40 ranks in all",
                        placement.ranks_per_node, query.nodes));
    }
    const std::int64_t busy = std::min(placement.ranks_per_node, processors_of_node(machine));
    placement.workers = static_cast<double>(placement.nodes) * static_cast<double>(busy);
    placement.network = partition(machine, placement.nodes);
    if (placement.nodes > 1) placement.graph = machine.graph;
    placement.routing = routing_of(machine);
    placement.node_of_rank =
        nodes_of_ranks(query.node_of_rank, query.placement, placement.nodes, placement.ranks_per_node);
    const std::string family = placement.network.family();
    const bool is_shaped = family == "mesh" || family == "torus" || family == "hyperx";  // by nothing else
    // The whole of a machine is as it is, unless its file lists partitions.
    const bool is_whole = !has(machine, "network.partitions") && find(machine, "network.topology") != nullptr &&
                          parse_topology(text_at(machine, "network.topology")).nodes() == placement.nodes;
    const bool shape_of_nodes = is_shaped && !is_whole && !query.shape.empty() && placement.nodes > 1 &&
                                query.shape != placement.network.shape() &&
                                shape_nodes(query.shape) == placement.nodes &&
                                placement.network.shape().size() == query.shape.size();
    if (shape_of_nodes) placement.network = parse_topology(family + " " + format_shape(query.shape));
    placement.shape = rank_shape(placement, query);
    return placement;
}

}  // namespace narrows
