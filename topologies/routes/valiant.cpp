#include "topologies/routes/valiant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "topologies/components.hpp"
#include "topologies/input_error.hpp"
#include "topologies/routes/host_groups.hpp"

namespace narrows {
namespace {

struct Ends {
    std::vector<double> sent;
    std::vector<double> received;
};

/// What every host sends and receives.
Ends ends_of(const Traffic& traffic) {
    const std::vector<double> uniform(traffic.hosts, traffic.each * (traffic.hosts - 1));
    Ends ends{uniform, uniform};
    for (const auto& [source, target, amount] : traffic.demands) {
        ends.sent[source] += amount;
        ends.received[target] += amount;
    }
    return ends;
}

// Those that a host reaches, or the hosts where there are none.
std::vector<int> routers_of(const Network& network, const std::vector<int>& component) {
    const int last_of_hosts = *std::max_element(component.begin(), component.begin() + network.hosts);
    std::vector<int> routers;
    for (int router = network.first_router(); router < network.vertices(); ++router) {
        if (component[router] <= last_of_hosts) routers.push_back(router);
    }
    if (!routers.empty()) return routers;
    routers.resize(network.hosts);
    std::iota(routers.begin(), routers.end(), 0);
    return routers;
}

void require_routers(const std::vector<int>& component, const std::vector<int>& routers,
                     const std::vector<double>& amounts) {
    for (std::size_t host = 0; host < amounts.size(); ++host) {
        for (const int router : routers) {
            if (amounts[host] == 0 || component[router] == component[host]) continue;
            throw InputError(fmt::format(
                "host {} cannot reach every router that Valiant's routing may choose: the network is not connected",
                host));
        }
    }
}

/// Sends amounts[h] from every host h, evenly to all routers; nothing when stopped.
std::optional<LinkLoads> to_routers(const Network& network, const Adjacency& arcs, Split split,
                                    const std::vector<double>& amounts, const std::function<bool()>& stop) {
    const std::vector<int> component = components_of(network);
    const std::vector<int> routers = routers_of(network, component);
    require_routers(component, routers, amounts);
    ShortestSpread spread(arcs, split, {});
    for (const auto& group : host_groups(arcs, network.hosts, Lanes::count)) {
        for (std::size_t lane = 0; lane < group.size(); ++lane) {
            const double share = amounts[group[lane]] / static_cast<double>(routers.size());
            for (const int to : routers) {
                if (share > 0) spread.demand(static_cast<int>(lane), to, share);
            }
        }
        spread.send(group);
        if (stop && stop()) return std::nullopt;
    }
    return loads_of_arcs(network, arcs, {}, spread.loads());
}

}  // namespace

std::optional<LinkLoads> valiant_loads(const Network& network, const Traffic& traffic, Split split,
                                       const std::function<bool()>& stop) {
    if (traffic.hosts != network.hosts) throw std::logic_error("valiant_loads: traffic of another network");
    const Adjacency arcs(network);
    const Ends ends = ends_of(traffic);
    auto loads = to_routers(network, arcs, split, ends.sent, stop);
    if (!loads) return std::nullopt;
    auto back = ends.sent == ends.received ? loads : to_routers(network, arcs, split, ends.received, stop);
    if (!back) return std::nullopt;
    std::swap(back->forward, back->backward);
    add_loads(*loads, *back);
    loads->demand = traffic.total();
    return loads;
}

}  // namespace narrows
