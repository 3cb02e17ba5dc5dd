#include "topologies/components.hpp"

#include "topologies/union_find.hpp"

namespace narrows {

std::vector<int> components_of(const Network& network) {
    UnionFind joined(network.vertices());
    for (const auto& edge : network.edges) joined.join(edge.u, edge.v);
    std::vector<int> component(network.vertices());
    for (int v = 0; v < network.vertices(); ++v) component[v] = joined.find(v);
    return component;
}

int component_count(const Network& network) {
    const std::vector<int> component = components_of(network);
    int count = 0;
    for (int v = 0; v < network.vertices(); ++v) count += component[v] == v ? 1 : 0;
    return count;
}

}  // namespace narrows
