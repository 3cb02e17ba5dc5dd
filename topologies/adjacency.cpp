#include "topologies/adjacency.hpp"

#include <numeric>

namespace narrows {

Adjacency::Adjacency(const Network& network) : first(network.vertices() + 1) {
    require_valid(network);
    require_graph_size(network.vertices(), static_cast<std::int64_t>(network.edges.size()));
    for (const auto& each : network.edges) {
        ++first[each.u + 1];
        ++first[each.v + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    target.resize(first.back());
    edge.resize(first.back());
    std::vector<int> next(first.begin(), first.end() - 1);
    for (int i = 0; i < static_cast<int>(network.edges.size()); ++i) {
        const auto& [u, v, capacity] = network.edges[i];
        target[next[u]] = v;
        edge[next[u]++] = i;
        target[next[v]] = u;
        edge[next[v]++] = i;
    }
}

}  // namespace narrows
