#include "model/gups/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/families/named_network.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::int64_t processors_of_node(const Machine& machine) {
    double processors = find(machine, "node.processors") != nullptr ? number_at(machine, "node.processors") : 1;
    for (const std::string& mode : names_below(machine, "node.modes")) {
        processors = std::max(processors, number_at(machine, "node.modes." + mode));
    }
    return static_cast<std::int64_t>(processors);
}

std::int64_t ranks_per_node(const Machine& machine, const GupsQuery& query) {
    const auto modes = names_below(machine, "node.modes");
    if (!query.mode.empty() && std::find(modes.begin(), modes.end(), query.mode) == modes.end()) {
        throw InputError(modes.empty()
                             ? fmt::format("machine '{}' has no modes: use --ranks-per-node", machine.id)
                             : fmt::format("machine '{}' has no mode '{}'{} (it has: {})", machine.id, query.mode,
                                           did_you_mean(query.mode, modes), fmt::join(modes, ", ")));
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
        throw InputError(
            fmt::format("shape {} has {} places, but there are {} ranks{}: give a shape with as many",
                        format_shape(query.shape), given, placement.ranks(),
                        placement.ranks_per_node == 1 ? "" : fmt::format(" on {} nodes", placement.nodes)));
    }
    if (placement.nodes == 1) return default_rank_shape(placement.ranks());
    std::vector<int> shape = given != 0 ? query.shape : placement.network.shape();
    if (shape.empty()) shape = default_rank_shape(placement.nodes);
    if (placement.ranks_per_node > 1) shape.push_back(static_cast<int>(placement.ranks_per_node));
    return shape;
}

// A network of which nothing is known but its cuts.
Topology searched_network(const Machine& machine, std::int64_t nodes) {
    const auto searched = static_cast<std::int64_t>(number_at(machine, "network.cut.nodes"));
    if (nodes != searched) {
        throw InputError(
            fmt::format("{} is a network of {} nodes, whose cuts are known for all of them only: give -n {}",
                        machine.id, searched, searched));
    }
    if (find(machine, "network.topology") != nullptr) return parse_topology(text_at(machine, "network.topology"));
    NamedNetwork network;
    network.family = "file";
    const std::size_t on = machine.id.rfind(composed_on);
    network.spec = on == std::string::npos ? machine.id : machine.id.substr(on + composed_on.size());
    network.nodes = nodes;
    network.switched = find(machine, "network.cut.injection") != nullptr;
    network.phi = {0, number_at(machine, "network.cut.pair_flow"), "searched", ""};
    return Topology(share(std::move(network)));
}

void require_at_most(const Topology& whole, std::int64_t nodes) {
    if (nodes <= whole.nodes()) return;
    throw InputError(
        fmt::format("{} nodes are more than the {} of '{}': give a larger topology with --network or --set "
                    "network.topology=..., such as 'torus 64x64x64'",
                    nodes, whole.nodes(), whole.spec()));
}

}  // namespace

void require_nodes(const Machine& machine, std::int64_t nodes) {
    if (find(machine, "network.topology") == nullptr || has(machine, "network.partitions")) return;
    require_at_most(parse_topology(text_at(machine, "network.topology")), nodes);
}

Topology network_of(const Machine& machine, std::int64_t nodes) {
    if (find(machine, "network.topology") != nullptr && nodes > 1) {
        Topology whole = parse_topology(text_at(machine, "network.topology"));
        if (whole.switched() && nodes <= whole.nodes()) return whole;
    }
    return partition(machine, nodes);
}

Topology partition(const Machine& machine, std::int64_t nodes) {
    if (nodes < 1) throw InputError(fmt::format("{} nodes are impossible: give at least 1", nodes));
    if (nodes == 1) return Topology();
    if (has(machine, "network.cut")) return searched_network(machine, nodes);
    const std::string listed = fmt::format("network.partitions.{}", nodes);
    if (find(machine, listed) != nullptr) return parse_topology(text_at(machine, listed));
    std::string nearest;
    std::int64_t size = 0;
    for (const std::string& name : names_below(machine, "network.partitions")) {
        const std::int64_t candidate = std::stoll(name);
        if (candidate > nodes && (size == 0 || candidate < size)) {
            size = candidate;
            nearest = "network.partitions." + name;
        }
    }
    if (nearest.empty() && find(machine, "network.topology") == nullptr) {
        throw InputError(
            fmt::format("machine '{}' has no network for {} nodes: choose one with --network, such as --network 'torus "
                        "8x8x8', or add 'network.topology' to its file",
                        machine.id, nodes));
    }
    const Topology whole = parse_topology(text_at(machine, nearest.empty() ? "network.topology" : nearest));
    require_at_most(whole, nodes);
    return whole.nodes() == nodes ? whole : whole.with_nodes(nodes);
}

std::vector<int> default_rank_shape(std::int64_t ranks) {
    constexpr int dimensions = 3;
    std::vector<int> shape = most_cubic_shape(ranks, dimensions);
    std::erase(shape, 1);
    return shape.empty() ? std::vector<int>{1} : shape;
}

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
    const bool shape_of_nodes = !query.shape.empty() && placement.nodes > 1 &&
                                shape_nodes(query.shape) == placement.nodes &&
                                placement.network.shape().size() == query.shape.size();
    if (shape_of_nodes) {
        placement.network = parse_topology(placement.network.family() + " " + format_shape(query.shape));
    }
    placement.shape = rank_shape(placement, query);
    return placement;
}

}  // namespace narrows
