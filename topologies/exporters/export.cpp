#include "topologies/exporters/export.hpp"

#include <algorithm>
#include <stdexcept>

#include "topologies/exporters/writers.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

const std::vector<ExportFormat>& export_formats() {
    static const std::vector<ExportFormat> formats{
        {"simgrid", "SimGrid platform of hosts, routers, links and one-hop routes", ".xml", write_simgrid,
         changed_by_simgrid},
        {"dot", "Graphviz", ".dot", write_dot},
        {"graphml", "GraphML", ".graphml", write_graphml},
        {"edge-list", "lines 'u v [capacity]'", ".edges", write_edge_list},
        {"metis", "METIS graph, capacities being whole numbers", ".graph", write_metis, changed_by_metis},
    };
    return formats;
}

std::string export_network(const LabelledNetwork& network, std::string_view format) {
    require_valid(network.network);
    if (network.names.size() != static_cast<std::size_t>(network.network.vertices())) {
        throw std::logic_error("export: a vertex has no name");
    }
    return record_called(format, export_formats(), "networks are not written as").write(network);
}

LabelledNetwork number_vertices(Network network) {
    LabelledNetwork result{std::move(network), {}, "links", {}, ""};
    for (int vertex = 0; vertex < result.network.vertices(); ++vertex) result.names.push_back(std::to_string(vertex));
    return result;
}

bool has_capacities(const LabelledNetwork& named) {
    const auto& edges = named.network.edges;
    return named.capacity_unit != "links" ||
           std::ranges::any_of(edges, [](const Edge& edge) { return edge.capacity != 1; });
}

}  // namespace narrows
