#include "topologies/distance.hpp"

// clang-format off
#include "topologies/lemon.hpp"
#include <lemon/bfs.h>
#include <lemon/smart_graph.h>
// clang-format on

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace narrows {

std::optional<Distances> host_distances(const Network& network, const Stop& stop, int most_searched) {
    require_valid(network);
    lemon::SmartGraph graph;
    for (int v = 0; v < network.vertices(); ++v) graph.addNode();
    for (const auto& edge : network.edges) graph.addEdge(graph.nodeFromId(edge.u), graph.nodeFromId(edge.v));

    int diameter = 0;
    std::int64_t total = 0;
    lemon::Bfs<lemon::SmartGraph> search(graph);
    const int starts = std::min(network.hosts, most_searched);
    for (std::int64_t start = 0; start < starts; ++start) {
        if (stop()) return std::nullopt;
        search.run(graph.nodeFromId(static_cast<int>(start * network.hosts / starts)));
        for (int to = 0; to < network.hosts; ++to) {
            const lemon::SmartGraph::Node host = graph.nodeFromId(to);
            if (!search.reached(host)) return std::nullopt;
            diameter = std::max(diameter, search.dist(host));
            total += search.dist(host);
        }
    }
    const double pairs = static_cast<double>(starts) * (network.hosts - 1.0);
    return Distances{diameter, network.hosts == 1 ? 0 : static_cast<double>(total) / pairs};
}

std::vector<int> links_from(const Adjacency& arcs, std::vector<int> vertices) {
    std::vector<int> links(arcs.vertices(), -1);
    for (const int vertex : vertices) links[vertex] = 0;
    for (std::size_t next = 0; next < vertices.size(); ++next) {
        const int vertex = vertices[next];
        for (int arc = arcs.first[vertex]; arc < arcs.first[vertex + 1]; ++arc) {
            if (links[arcs.target[arc]] >= 0) continue;
            links[arcs.target[arc]] = links[vertex] + 1;
            vertices.push_back(arcs.target[arc]);
        }
    }
    return links;
}

std::vector<int> levels_above_hosts(const Network& network, const Adjacency& arcs) {
    std::vector<int> hosts(network.hosts);
    std::iota(hosts.begin(), hosts.end(), 0);
    return links_from(arcs, std::move(hosts));
}

}  // namespace narrows
