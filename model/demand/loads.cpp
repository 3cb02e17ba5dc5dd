#include "model/demand/loads.hpp"

#include <algorithm>
#include <functional>

#include "topologies/boundaries.hpp"
#include "topologies/stop.hpp"

namespace narrows {
namespace {

bool is_consecutive(const Placement& placement) {
    return placement.node_of_rank.empty();
}

// What crosses groups of nodes, given the group of each node and the links of each group.
Crossing counted(const LineTraffic& traffic, const Placement& placement, const std::function<int(int)>& group_of_node,
                 const std::vector<double>& links) {
    std::vector<int> group(static_cast<std::size_t>(placement.ranks()));
    for (std::int64_t rank = 0; rank < placement.ranks(); ++rank) group[rank] = group_of_node(placement.node(rank));
    return crossing(traffic, group, links);
}

// Groups of so many consecutive nodes.
Crossing of_blocks(const LineTraffic& traffic, const Placement& placement, std::int64_t nodes, double links) {
    if (is_consecutive(placement)) return crossing(traffic, nodes * placement.ranks_per_node, links);
    const std::vector<double> of_each((placement.nodes + nodes - 1) / nodes, links);
    return counted(
        traffic, placement, [nodes](int node) { return static_cast<int>(node / nodes); }, of_each);
}

// Whether the ranks' dimensions are those of the nodes' grid, after that of the ranks of a node.
bool is_aligned(const Placement& placement, const std::vector<int>& grid) {
    std::vector<int> expected = grid;
    if (placement.ranks_per_node > 1) expected.insert(expected.begin(), static_cast<int>(placement.ranks_per_node));
    return is_consecutive(placement) && placement.shape == expected;
}

double of_all(const std::vector<Boundary>& boundaries, const LineTraffic& traffic, const Placement& placement) {
    double fullest = 0;
    for (const Boundary& boundary : boundaries) {
        const auto group = [&boundary](int node) { return boundary.group[node]; };
        fullest = std::max(fullest, counted(traffic, placement, group, boundary.links).fullest);
    }
    return fullest;
}

// The halving cut across each dimension of a grid, or the cuts that were searched. Along the grid's own dimensions they
// are those of its sparsest cut, which uniform traffic is held up against anyway.
double of_slabs(const LineTraffic& traffic, const Placement& placement) {
    const bool is_uniform = traffic.shape.size() == 1;
    if (is_uniform) return 0;
    if (placement.graph) return of_all(placement.graph->cuts, traffic, placement);
    if (is_aligned(placement, placement.network.shape())) return 0;
    constexpr std::int64_t most_counted = 1 << 24;  // ranks, of all halves of rings
    double fullest = 0;
    for (const HostHalves& each : placement.network.halves()) {
        const int begins = each.ways < 2 ? 1 : each.size % 2 == 0 ? each.size / 2 : each.size;  // all but what is left
        const int step = placement.ranks() * begins > most_counted ? std::max(1, begins / 2) : 1;
        for (int begin = 0; begin < begins; begin += step) {
            const auto side = [&each, begin](int node) { return each.side(node, begin); };
            fullest = std::max(fullest, counted(traffic, placement, side, {each.links, each.links}).fullest);
        }
    }
    return fullest;
}

double of_boundaries(const LineTraffic& traffic, const Placement& placement) {
    double fullest = 0;
    if (placement.graph) return of_all(placement.graph->groups, traffic, placement);
    const auto blocks = placement.network.blocks();
    if (!blocks && placement.network.switched() && placement.network.links() <= most_links_written_out) {
        return of_all(boundaries(placement.network.graph()), traffic, placement);
    }
    for (const HostBlocks& block : blocks.value_or(std::vector<HostBlocks>())) {
        fullest = std::max(fullest, of_blocks(traffic, placement, block.hosts, block.links).fullest);
    }
    return fullest;
}

// Messages of one operation of each rank from node to node, line by line.
Traffic node_traffic(const LineTraffic& traffic, const Placement& placement) {
    Traffic found{static_cast<int>(placement.nodes), 0, {}};
    std::vector<double> members(static_cast<std::size_t>(placement.nodes), 0.0);  // ranks of a line on each node
    std::vector<int> touched;
    std::int64_t stride = 1;
    for (const std::int64_t size : traffic.shape) {
        for (std::int64_t line = 0; line < traffic.ranks(); ++line) {
            if (line / stride % size != 0) continue;
            touched.clear();
            for (std::int64_t rank = line; rank < line + stride * size; rank += stride) {
                const int node = placement.node(rank);
                if (members[node]++ == 0) touched.push_back(node);
            }
            for (const int from : touched) {
                for (const int to : touched) {
                    const double sent = members[from] * members[to] / static_cast<double>(size);
                    if (from != to) found.demands.push_back({from, to, sent});
                }
            }
            for (const int node : touched) members[node] = 0;
        }
        stride *= size;
    }
    return found;
}

// Uniform traffic is the same between any two nodes, whatever the placement, as every node has as many ranks.
Traffic routed_traffic(const LineTraffic& traffic, const Placement& placement) {
    if (traffic.shape.size() > 1) return node_traffic(traffic, placement);
    const auto of_node = static_cast<double>(placement.ranks_per_node);
    return {static_cast<int>(placement.nodes), of_node / static_cast<double>(placement.nodes), {}};
}

double of_fullest_link(const LineTraffic& traffic, const Placement& placement) {
    if (!can_be_routed(placement)) return 0;
    const Network network = placement.graph ? placement.graph->network : placement.network.graph();
    const bool by_name = !placement.graph && !placement.network.grid_wraps().empty();
    const auto loads =
        routed_loads(*placement.routing, network, by_name ? placement.network.shape() : std::vector<int>(),
                     by_name ? placement.network.grid_wraps() : std::vector<bool>(), routed_traffic(traffic, placement),
                     1, never_stop);
    return fullest_share(network, *loads);
}

// The least that messages pass on the mean: of uniform traffic on grids a formula has it.
double links_passed(const LineTraffic& traffic, const Placement& placement) {
    const bool is_grid = !placement.graph && !placement.network.grid_wraps().empty();
    if (traffic.shape.size() > 1 || !is_grid) return 1;
    const auto distances = placement.network.distances();
    return distances ? distances->mean : 1;
}

}  // namespace

Loads loads_of(const LineTraffic& traffic, const Placement& placement) {
    Loads loads;
    loads.hops = hops(traffic);
    if (placement.nodes == 1) return loads;
    const auto ranks = static_cast<double>(placement.ranks());
    const Crossing nodes = of_blocks(traffic, placement, 1, 1);
    loads.leaving = nodes.all / ranks;
    loads.node = nodes.fullest / ranks;
    loads.router = loads.leaving * links_passed(traffic, placement) / static_cast<double>(placement.nodes);
    const bool is_grid = !placement.network.grid_wraps().empty();
    if (!is_grid) {
        const std::int64_t links = placement.network.switched() ? 1 : placement.network.degree();
        loads.injection = loads.node / static_cast<double>(links);
    }
    if (placement.graph) {
        const auto itself = [](int node) { return node; };
        loads.injection = counted(traffic, placement, itself, host_links(placement.graph->network)).fullest / ranks;
    }
    loads.uplinks = of_boundaries(traffic, placement) / ranks;
    loads.slabs = of_slabs(traffic, placement) / ranks;
    loads.link = of_fullest_link(traffic, placement) / ranks;
    return loads;
}

}  // namespace narrows
