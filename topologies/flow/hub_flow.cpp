#include "topologies/flow/hub_flow.hpp"

#include <algorithm>
#include <vector>

#include "topologies/flow/uniform_flow.hpp"

namespace narrows {

namespace {

/// By vertex, its link if it has one only; else −1.
std::vector<int> only_links(const Network& network) {
    constexpr int none = -1, several = -2;
    std::vector<int> link(network.vertices(), none);
    for (int e = 0; e < std::ssize(network.edges); ++e) {
        for (const int end : {network.edges[e].u, network.edges[e].v}) link[end] = link[end] == none ? e : several;
    }
    return link;
}

}  // namespace

double hub_flow(const Network& network, const LoadsOfSome& hubs) {
    const double pairs_of_host = network.hosts - 1.0;
    std::vector<double> spared(network.edges.size());
    const std::vector<int> link = only_links(network);
    for (const int hub : hubs.sources) {
        if (link[hub] >= 0) spared[link[hub]] += pairs_of_host - 1;
    }
    const double off = rounding(network);
    double fullest = 0;
    for (std::size_t e = 0; e < network.edges.size(); ++e) {
        const double all = (hubs.loads.forward[e] + hubs.loads.backward[e]) * pairs_of_host;
        const double of_pairs = all * (1 + off) - spared[e];  // what is subtracted is exact
        fullest = std::max(fullest, of_pairs / network.edges[e].capacity);
    }
    if (fullest == 0) return 0;
    return static_cast<double>(hubs.sources.size()) / (pairs_of_host * fullest) * (1 - off);
}

}  // namespace narrows
