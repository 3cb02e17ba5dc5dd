#include "topologies/routes/dimension_order.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "topologies/input_error.hpp"
#include "topologies/routes/grid_routes.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

/// The steps that every edge makes: from its u and from its v.
std::vector<std::array<std::size_t, 2>> steps_of_edges(const Network& network, const GridRoutes& grid) {
    std::vector<std::array<std::size_t, 2>> steps;
    for (const auto& edge : network.edges) steps.push_back({grid.step(edge.u, edge.v), grid.step(edge.v, edge.u)});
    return steps;
}

void require_links(const GridRoutes& grid, const std::vector<int>& links) {
    for (std::size_t step = 0; step < links.size(); ++step) {
        if (grid.loads()[step] == 0 || links[step] > 0) continue;
        throw InputError(
            fmt::format("dimension-order routing needs a link of host {} in dimension {} that is missing: "
                        "take shortest paths",
                        grid.node_of(step), grid.dimension_of(step) + 1));
    }
}

}  // namespace

LinkLoads dimension_order_loads(const Network& network, const std::vector<int>& shape, const std::vector<bool>& wraps,
                                const Traffic& traffic, bool ties_onwards) {
    require_valid(network);
    const bool fits = network.switches == 0 && shape_nodes(shape) == network.hosts && wraps.size() == shape.size();
    if (!fits || traffic.hosts != network.hosts) throw std::logic_error("dimension_order_loads: sizes differ");
    GridRoutes grid(shape, wraps, ties_onwards);
    if (traffic.each > 0) grid.add_uniform(traffic.each);
    for (const Demand& demand : traffic.demands) grid.add(demand.source, demand.target, demand.amount);

    const auto steps = steps_of_edges(network, grid);
    std::vector<int> links(grid.loads().size());
    for (const auto& [there, back] : steps) {
        ++links[there];
        ++links[back];
    }
    require_links(grid, links);
    LinkLoads loads = no_loads(network);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto [there, back] = steps[i];
        loads.forward[i] = grid.loads()[there] / links[there];
        loads.backward[i] = grid.loads()[back] / links[back];
    }
    loads.demand = traffic.total();
    return loads;
}

}  // namespace narrows
