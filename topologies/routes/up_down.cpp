#include "topologies/routes/up_down.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/distance.hpp"
#include "topologies/input_error.hpp"
#include "topologies/routes/host_names.hpp"

namespace narrows {
namespace {

constexpr int nowhere = std::numeric_limits<int>::max();

void require_levels(const Network& network, const std::vector<int>& level) {
    for (const auto& edge : network.edges) {
        if (level[edge.u] != level[edge.v] || level[edge.u] < 0) continue;
        throw InputError(
            fmt::format("up/down routing needs a tree of switches, but a link joins {} and {}, both {} "
                        "links above the nearest host: take shortest paths",
                        vertex_label(network, edge.u, {}, {}), vertex_label(network, edge.v, {}, {}), level[edge.u]));
    }
}

/// Routes all traffic for one target at a time and sums the loads of the arcs away from each vertex.
class UpDown {
  public:
    UpDown(const Network& network, const Adjacency& arcs)
        : arcs_(arcs),
          level_(levels_above_hosts(network, arcs)),
          upwards_(network.vertices()),
          downwards_(network.vertices()),
          above_(network.vertices()),
          turn_(network.vertices()),
          flow_(network.vertices()),
          load_(arcs.target.size()) {
        require_levels(network, level_);
        std::iota(upwards_.begin(), upwards_.end(), 0);
        std::ranges::stable_sort(upwards_, [this](int a, int b) { return level_[a] < level_[b]; });
        std::reverse_copy(upwards_.begin(), upwards_.end(), downwards_.begin());
    }

    /// What `host` sends to the target of the next `send_to`.
    void demand(int host, double amount) { flow_[host] += amount; }

    void send_to(int target) {
        find_ways(target);
        for (const int v : upwards_) {
            if (flow_[v] > 0 && turn_[v] == nowhere) {
                throw InputError(
                    fmt::format("there is no way up and down from host {} to host {}: take shortest paths", v, target));
            }
            if (flow_[v] > 0 && !is_above(v)) {
                pass_on(v, [&](int to) { return level_[to] > level_[v] && turn_[to] == turn_[v]; });
            }
        }
        for (const int v : downwards_) {
            if (flow_[v] > 0 && v != target) pass_on(v, [&](int to) { return level_[to] < level_[v] && is_above(to); });
        }
        flow_[target] = 0;
    }

    const std::vector<double>& loads() const { return load_; }

  private:
    /// Marks what is above the target, whence it is reached downwards, and finds for every vertex the lowest level on
    /// which a way up from it turns down.
    void find_ways(int target) {
        for (const int v : upwards_) {
            const bool found =
                v == target || any_neighbour(v, [&](int to) { return level_[to] < level_[v] && is_above(to); });
            above_[v] = found ? 1 : 0;
        }
        for (const int v : downwards_) {
            turn_[v] = is_above(v) ? level_[v] : nowhere;
            for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1] && !is_above(v); ++arc) {
                const int to = arcs_.target[arc];
                if (level_[to] > level_[v]) turn_[v] = std::min(turn_[v], turn_[to]);
            }
        }
    }

    bool is_above(int v) const { return above_[v] != 0; }

    template <class Fits>
    bool any_neighbour(int v, Fits fits) const {
        return std::any_of(arcs_.target.begin() + arcs_.first[v], arcs_.target.begin() + arcs_.first[v + 1], fits);
    }

    /// Divides the flow of `v` equally over its links to vertices that fit.
    template <class Fits>
    void pass_on(int v, Fits fits) {
        const auto first = arcs_.target.begin() + arcs_.first[v];
        const auto links = std::count_if(first, arcs_.target.begin() + arcs_.first[v + 1], fits);
        const double share = flow_[v] / static_cast<double>(links);
        flow_[v] = 0;
        for (int arc = arcs_.first[v]; arc < arcs_.first[v + 1]; ++arc) {
            const int to = arcs_.target[arc];
            if (!fits(to)) continue;
            flow_[to] += share;
            load_[arc] += share;
        }
    }

    const Adjacency& arcs_;
    std::vector<int> level_;
    std::vector<int> upwards_;          ///< all vertices, lowest first
    std::vector<int> downwards_;        ///< highest first
    std::vector<unsigned char> above_;  ///< whether the target is reached downwards
    std::vector<int> turn_;
    std::vector<double> flow_;
    std::vector<double> load_;
};

}  // namespace

std::optional<LinkLoads> up_down_loads(const Network& network, const Traffic& traffic,
                                       const std::function<bool()>& stop) {
    if (traffic.hosts != network.hosts) throw std::logic_error("up_down_loads: traffic of another network");
    const Adjacency arcs(network);
    UpDown routes(network, arcs);
    const auto demands = demands_by(traffic, &Demand::target);
    for (int target = 0; target < network.hosts; ++target) {
        if (traffic.each == 0 && demands[target].empty()) continue;
        for (int host = 0; host < network.hosts && traffic.each > 0; ++host) {
            if (host != target) routes.demand(host, traffic.each);
        }
        for (const Demand* demand : demands[target]) routes.demand(demand->source, demand->amount);
        routes.send_to(target);
        if (stop && stop()) return std::nullopt;
    }
    LinkLoads loads = loads_of_arcs(network, arcs, routes.loads(), {});
    loads.demand = traffic.total();
    return loads;
}

}  // namespace narrows
