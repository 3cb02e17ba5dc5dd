#include "topologies/flow/hub_flow.hpp"

#include <algorithm>

#include "topologies/flow/uniform_flow.hpp"

namespace narrows {

double hub_flow(const Network& network, const LoadsOfSome& hubs) {
    const double pairs_of_host = network.hosts - 1.0;
    double fullest = 0;
    for (std::size_t e = 0; e < network.edges.size(); ++e) {
        const double of_pairs = (hubs.loads.forward[e] + hubs.loads.backward[e]) * pairs_of_host;
        fullest = std::max(fullest, of_pairs / network.edges[e].capacity);
    }
    if (fullest == 0) return 0;
    return static_cast<double>(hubs.sources.size()) / (pairs_of_host * fullest) * (1 - rounding(network));
}

}  // namespace narrows
