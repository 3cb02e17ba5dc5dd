#include "topologies/routes/shortest.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "topologies/components.hpp"
#include "topologies/input_error.hpp"
#include "topologies/routes/host_groups.hpp"
#include "topologies/routes/uniform_loads.hpp"

namespace narrows {
namespace {

void require_reachable(const Network& network, const Traffic& traffic) {
    const std::vector<int> component = components_of(network);
    for (const auto& [source, target, amount] : traffic.demands) {
        if (component[source] == component[target]) continue;
        throw InputError(fmt::format("host {} sends to host {}, which it cannot reach: the network is not connected",
                                     source, target));
    }
}

/// Sends the demands of the list; false when stopped.
bool send_list(ShortestSpread& spread, const Adjacency& arcs, const Traffic& traffic,
               const std::function<bool()>& stop) {
    const auto demands = demands_by(traffic, &Demand::source);
    for (const auto& group : host_groups(arcs, traffic.hosts, Lanes::count)) {
        std::vector<int> sources;
        for (const int host : group) {
            if (demands[host].empty()) continue;
            const int lane = static_cast<int>(sources.size());
            for (const Demand* demand : demands[host]) spread.demand(lane, demand->target, demand->amount);
            sources.push_back(host);
        }
        if (!sources.empty()) spread.send(sources);
        if (stop && stop()) return false;
    }
    return true;
}

}  // namespace

std::optional<LinkLoads> shortest_loads(const Network& network, const Traffic& traffic, Split split, int threads,
                                        const std::function<bool()>& stop) {
    if (traffic.hosts != network.hosts) throw std::logic_error("shortest_loads: traffic of another network");
    LinkLoads loads = no_loads(network);
    if (traffic.each > 0) {
        const auto uniform = uniform_shortest_loads(network, split, threads, stop);
        if (!uniform) return std::nullopt;
        add_loads(loads, *uniform, traffic.each * (network.hosts - 1));
    }
    if (!traffic.demands.empty()) {
        const Adjacency arcs(network);
        require_reachable(network, traffic);
        ShortestSpread spread(arcs, split, {});
        if (!send_list(spread, arcs, traffic, stop)) return std::nullopt;
        add_loads(loads, loads_of_arcs(network, arcs, {}, spread.loads()));
    }
    loads.demand = traffic.total();
    return loads;
}

}  // namespace narrows
