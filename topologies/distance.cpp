#include "topologies/distance.hpp"

#include <algorithm>
#include <cstdint>

namespace narrows {

std::optional<Distances> host_distances(const Network& network, const Stop& stop) {
    require_valid(network);
    const Adjacency arcs(network);
    int diameter = 0;
    std::int64_t total = 0;
    for (int from = 0; from < network.hosts; ++from) {
        if (stop()) return std::nullopt;
        const std::vector<int> links = links_from(arcs, {from});
        for (int to = 0; to < network.hosts; ++to) {
            if (links[to] < 0) return std::nullopt;
            diameter = std::max(diameter, links[to]);
            total += links[to];
        }
    }
    const double pairs = static_cast<double>(network.hosts) * (network.hosts - 1.0);
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

}  // namespace narrows
