#include "topologies/graph.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace narrows {

void require_valid(const Network& network) {
    if (network.hosts < 1 || network.switches < 0) throw std::logic_error("network: no host");
    for (const auto& [u, v, capacity] : network.edges) {
        const bool inside = std::min(u, v) >= 0 && std::max(u, v) < network.vertices();
        if (!inside || u == v) throw std::logic_error("network: an edge does not join two of its vertices");
        if (!std::isfinite(capacity) || capacity <= 0) throw std::logic_error("network: a capacity is not positive");
    }
}

std::vector<int> degrees(int vertices, const std::vector<Edge>& edges) {
    std::vector<int> degree(vertices);
    for (const auto& edge : edges) {
        ++degree[edge.u];
        ++degree[edge.v];
    }
    return degree;
}

int largest_degree(const Network& network) {
    require_valid(network);
    return std::ranges::max(degrees(network.vertices(), network.edges));
}

std::vector<double> capacity_at(const Network& network) {
    std::vector<double> at(network.vertices());
    for (const auto& [u, v, capacity] : network.edges) {
        at[u] += capacity;
        at[v] += capacity;
    }
    return at;
}

bool hang_on_switches(const Network& network) {
    std::vector<int> links(network.hosts);
    for (const auto& edge : network.edges) {
        if (edge.u < network.hosts && edge.v < network.hosts) return false;
        for (const int end : {edge.u, edge.v}) {
            if (end < network.hosts) ++links[end];
        }
    }
    return std::ranges::all_of(links, [](int count) { return count > 0; });
}

Network unlinked(std::int64_t hosts, std::int64_t switches, std::int64_t links) {
    require_graph_size(hosts + switches, links);
    Network network{static_cast<int>(hosts), static_cast<int>(switches), {}};
    network.edges.reserve(links);
    return network;
}

void require_graph_size(std::int64_t vertices, std::int64_t edges) {
    if (vertices > graph_limit || edges > graph_limit) {
        throw std::logic_error("graph: too large to write out, use the closed forms");
    }
}

}  // namespace narrows
