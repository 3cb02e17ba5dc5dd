#include "tests/cluster/route_tables.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "topologies/input_error.hpp"

namespace narrows::cluster {
namespace {

/// Of one destination: the arcs at every vertex by which the library's routes go on.
using Choices = std::vector<std::vector<int>>;

/// How far ahead of v an arc's other end is: onwards in a dimension comes before back.
int ahead(const Adjacency& arcs, int v, int arc) {
    return (arcs.target[arc] - v + arcs.vertices()) % arcs.vertices();
}

/// The routes of the library themselves: where the traffic of all hosts for `target` leaves a vertex.
Choices choices_for(const Network& network, const Adjacency& arcs, const Routing& routing,
                    const std::vector<int>& shape, const std::vector<bool>& wraps, int target) {
    Traffic traffic;
    traffic.hosts = network.hosts;
    for (int host = 0; host < network.hosts; ++host) {
        if (host != target) traffic.demands.push_back({host, target, 1});
    }
    const LinkLoads loads = *routed_loads(routing, network, shape, wraps, traffic, 1, never_stop);
    constexpr double nothing = 1e-9;
    Choices choices(network.vertices());
    for (int v = 0; v < network.vertices(); ++v) {
        for (int arc = arcs.first[v]; arc < arcs.first[v + 1]; ++arc) {
            const Edge& edge = network.edges[arcs.edge[arc]];
            const double load = edge.u == v ? loads.forward[arcs.edge[arc]] : loads.backward[arcs.edge[arc]];
            if (load > nothing) choices[v].push_back(arc);
        }
        std::ranges::stable_sort(choices[v], [&](int a, int b) { return ahead(arcs, v, a) < ahead(arcs, v, b); });
    }
    return choices;
}

/// Which of several ways a vertex takes at first. On an even ring even places go onwards and odd ones back, which on
/// rings of 4, 8, 12 … is balanced as it is; what the target is in later dimensions turns it for the rest.
std::size_t first_choice(int v, int target, const std::vector<int>& shape) {
    int stride = 1;
    int sum = 0;
    bool turned = false;
    for (const int size : shape) {
        const int here = v / stride % size;
        const int there = target / stride % size;
        sum += turned ? there : here;  // dimensions before the turn are equal
        turned = turned || here != there;
        stride *= size;
    }
    return static_cast<std::size_t>(shape.empty() ? v + target : sum);
}

/// Moves routes until none can be moved for a smaller sum of squares of the links' shares of uniform traffic.
class Balance {
  public:
    Balance(const Network& network, const Adjacency& arcs, const std::vector<Choices>& choices, RouteTables& tables)
        : network_(network), arcs_(arcs), choices_(choices), tables_(tables), load_(arcs.target.size()) {
        for (int target = 0; target < network.hosts; ++target) {
            find_flows(target);
            for (const int v : order_) move_load(v, target, flow_[v], false);
        }
    }

    void settle() {
        constexpr int most_rounds = 30;
        for (int round = 0; round < most_rounds; ++round) {
            bool moved = false;
            for (int target = 0; target < network_.hosts; ++target) moved = improve(target) || moved;
            if (!moved) return;
        }
    }

  private:
    int step(int v, int target) const { return arcs_.target[tables_.next[v][target]]; }

    /// The hosts whose traffic for `target` passes each vertex, and those vertices, farthest first.
    void find_flows(int target) {
        flow_.assign(network_.vertices(), 0);
        std::vector<int> distance(network_.vertices());
        order_.clear();
        for (int v = 0; v < network_.vertices(); ++v) {
            if (tables_.next[v][target] < 0) continue;
            for (int at = v; at != target; at = step(at, target)) {
                if (v < network_.hosts) flow_[at] += 1;
                ++distance[v];
            }
            order_.push_back(v);
        }
        std::ranges::stable_sort(order_, [&](int a, int b) { return distance[a] > distance[b]; });
    }

    /// Adds to the first arc from v, or to all on the way from there.
    void move_load(int v, int target, double flow, bool whole_way) {
        do {
            load_[tables_.next[v][target]] += flow;
            v = step(v, target);
        } while (whole_way && v != target);
    }

    /// What `flow` by way of `arc` adds to the sum of squares.
    double cost(int arc, int target, double flow) const {
        double sum = 0;
        for (;;) {
            const double capacity = network_.edges[arcs_.edge[arc]].capacity;
            sum += (2 * load_[arc] + flow) * flow / (capacity * capacity);
            const int v = arcs_.target[arc];
            if (v == target) return sum;
            arc = tables_.next[v][target];
        }
    }

    bool improve(int target) {
        find_flows(target);
        bool moved = false;
        for (const int v : order_) {
            const std::vector<int>& ways = choices_[target][v];
            const double flow = flow_[v];
            if (ways.size() < 2 || flow == 0) continue;
            pass(v, target, -flow);
            const int old = tables_.next[v][target];
            int best = old;
            double least = cost(old, target, flow);
            for (const int way : ways) {
                const double other = cost(way, target, flow);
                if (other < least * (1 - 1e-9)) least = other, best = way;
            }
            tables_.next[v][target] = best;
            pass(v, target, flow);
            moved = moved || best != old;
        }
        return moved;
    }

    /// Loads and flows of the way from v.
    void pass(int v, int target, double flow) {
        move_load(v, target, flow, true);
        for (int at = step(v, target); at != target; at = step(at, target)) flow_[at] += flow;
    }

    const Network& network_;
    const Adjacency& arcs_;
    const std::vector<Choices>& choices_;
    RouteTables& tables_;
    std::vector<double> load_;
    std::vector<double> flow_;
    std::vector<int> order_;
};

}  // namespace

RouteTables route_tables(const Network& network, const Routing& routing, const std::vector<int>& shape,
                         const std::vector<bool>& wraps) {
    if (routing.kind == Routing::Kind::valiant) {
        throw InputError(
            "valiant routing goes by way of random nodes, which no table of destinations can: choose another");
    }
    const Adjacency arcs(network);
    const std::vector<int> grid = routing.kind == Routing::Kind::dimension_order ? shape : std::vector<int>{};
    RouteTables tables{std::vector<std::vector<int>>(network.vertices(), std::vector<int>(network.hosts, -1))};
    std::vector<Choices> choices;
    for (int target = 0; target < network.hosts; ++target) {
        choices.push_back(choices_for(network, arcs, routing, shape, wraps, target));
        for (int v = 0; v < network.vertices(); ++v) {
            const std::vector<int>& ways = choices.back()[v];
            if (!ways.empty()) tables.next[v][target] = ways[first_choice(v, target, grid) % ways.size()];
        }
    }
    Balance(network, arcs, choices, tables).settle();
    return tables;
}

std::vector<int> route(const Adjacency& arcs, const RouteTables& tables, int source, int target) {
    std::vector<int> way;
    for (int v = source; v != target; v = arcs.target[way.back()]) {
        const int arc = tables.next[v][target];
        if (arc < 0 || way.size() > tables.next.size()) throw std::logic_error("route: the tables do not lead there");
        way.push_back(arc);
    }
    return way;
}

LinkLoads walked_loads(const Network& network, const RouteTables& tables, const Traffic& traffic) {
    const Adjacency arcs(network);
    std::vector<double> away(arcs.target.size());
    const auto walk = [&](const Demand& demand) {
        for (const int arc : route(arcs, tables, demand.source, demand.target)) away[arc] += demand.amount;
    };
    for (const Demand& demand : traffic.demands) walk(demand);
    for (int source = 0; source < network.hosts && traffic.each > 0; ++source) {
        for (int target = 0; target < network.hosts; ++target) {
            if (target != source) walk({source, target, traffic.each});
        }
    }
    LinkLoads loads = loads_of_arcs(network, arcs, away, {});
    loads.demand = traffic.total();
    return loads;
}

}  // namespace narrows::cluster
