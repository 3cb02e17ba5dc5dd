#include "topologies/routes/link_loads.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace narrows {
namespace {

void require_same_size(const Network& network, const LinkLoads& loads) {
    if (loads.forward.size() != network.edges.size() || loads.backward.size() != network.edges.size()) {
        throw std::logic_error("link loads: of another network");
    }
}

double total_load(const LinkLoads& loads) {
    const double forward = std::accumulate(loads.forward.begin(), loads.forward.end(), 0.0);
    return std::accumulate(loads.backward.begin(), loads.backward.end(), forward);
}

}  // namespace

LinkLoads no_loads(const Network& network) {
    const std::vector<double> zeros(network.edges.size());
    return {zeros, zeros, 0};
}

void add_loads(LinkLoads& loads, const LinkLoads& more, double times) {
    if (loads.forward.size() != more.forward.size()) throw std::logic_error("link loads: of different networks");
    for (std::size_t i = 0; i < loads.forward.size(); ++i) {
        loads.forward[i] += times * more.forward[i];
        loads.backward[i] += times * more.backward[i];
    }
    loads.demand += times * more.demand;
}

std::vector<LinkLoad> hottest_links(const Network& network, const LinkLoads& loads, int n) {
    require_same_size(network, loads);
    std::vector<LinkLoad> links;
    links.reserve(2 * network.edges.size());
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
        const auto& [u, v, capacity] = network.edges[i];
        const int edge = static_cast<int>(i);
        links.push_back({edge, u, v, loads.forward[i], loads.forward[i] / capacity});
        links.push_back({edge, v, u, loads.backward[i], loads.backward[i] / capacity});
    }
    std::ranges::stable_sort(links, std::greater(), &LinkLoad::share);  // edges forward before backward
    links.resize(std::min(links.size(), static_cast<std::size_t>(std::max(n, 0))));
    return links;
}

double fullest_share(const Network& network, const LinkLoads& loads) {
    require_same_size(network, loads);
    double most = 0;
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
        most = std::max(most, std::max(loads.forward[i], loads.backward[i]) / network.edges[i].capacity);
    }
    return most;
}

double allowed_rate(const Network& network, const LinkLoads& loads) {
    const double share = fullest_share(network, loads);
    return share > 0 ? 1 / share : std::numeric_limits<double>::infinity();
}

double mean_load(const LinkLoads& loads) {
    const auto links = static_cast<double>(loads.forward.size() + loads.backward.size());
    return links > 0 ? total_load(loads) / links : 0;
}

double mean_hops(const LinkLoads& loads) {
    return loads.demand > 0 ? total_load(loads) / loads.demand : 0;
}

LinkLoads loads_of_arcs(const Network& network, const Adjacency& arcs, const std::vector<double>& away,
                        const std::vector<double>& towards) {
    LinkLoads loads = no_loads(network);
    for (int v = 0; v < arcs.vertices(); ++v) {
        for (int arc = arcs.first[v]; arc < arcs.first[v + 1]; ++arc) {
            const int edge = arcs.edge[arc];
            const bool at_u = network.edges[edge].u == v;
            if (!away.empty()) (at_u ? loads.forward : loads.backward)[edge] += away[arc];
            if (!towards.empty()) (at_u ? loads.backward : loads.forward)[edge] += towards[arc];
        }
    }
    return loads;
}

}  // namespace narrows
