#include "topologies/components.hpp"

#include <algorithm>

#include "topologies/union_find.hpp"

namespace narrows {

namespace {

UnionFind joined_by_links(const Network& network) {
    UnionFind joined(network.vertices());
    for (const auto& edge : network.edges) joined.join(edge.u, edge.v);
    return joined;
}

}  // namespace

std::vector<int> components_of(const Network& network) {
    return joined_by_links(network).numbers();
}

Network with_idle_switches_joined(Network network) {
    const std::vector<int> component = components_of(network);
    const auto end_of_hosts = component.begin() + network.hosts;
    int joined = *std::max_element(component.begin(), end_of_hosts);
    const double capacity = network.edges.empty() ? 1 : network.edges.front().capacity;
    for (int v = network.hosts; v < network.vertices(); ++v) {
        if (component[v] <= joined) continue;
        network.connect(0, v, capacity);
        joined = component[v];
    }
    return network;
}

int component_count(const Network& network) {
    return joined_by_links(network).sets();
}

}  // namespace narrows
