#include "topologies/routes/host_groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/components.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

std::vector<std::vector<int>> host_groups(const Adjacency& arcs, int hosts, int size) {
    // A search by distance from the first host comes to vertices that are near each other one after the other.
    std::vector<int> order;
    std::vector<bool> reached(arcs.vertices());
    const auto reach = [&](int vertex) {
        if (!reached[vertex]) order.push_back(vertex);
        reached[vertex] = true;
    };
    std::size_t searched = 0;
    for (int host = 0; host < hosts; ++host) {
        reach(host);
        for (; searched < order.size(); ++searched) {
            const int vertex = order[searched];
            for (int arc = arcs.first[vertex]; arc < arcs.first[vertex + 1]; ++arc) reach(arcs.target[arc]);
        }
    }
    std::erase_if(order, [hosts](int vertex) { return vertex >= hosts; });
    std::vector<std::vector<int>> groups;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i % size == 0) groups.emplace_back();
        groups.back().push_back(order[i]);
    }
    return groups;
}

void require_connected_hosts(const Network& network) {
    const std::vector<int> component = components_of(network);
    const auto end = component.begin() + network.hosts;
    const auto apart = std::find_if(component.begin(), end, [&](int each) { return each != component[0]; });
    if (apart == end) return;
    throw InputError(fmt::format("host 0 cannot reach host {}: the network is not connected, give one of its parts",
                                 apart - component.begin()));
}

}  // namespace narrows
