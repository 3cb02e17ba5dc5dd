#include "topologies/components.hpp"

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

int component_count(const Network& network) {
    return joined_by_links(network).sets();
}

}  // namespace narrows
