#include "tests/topologies/route_checks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <utility>

namespace narrows::testing {
namespace {

/// One way of an edge.
struct Step {
    int edge;
    bool forward;
};

/// Walks all paths of `length` links from one vertex to another.
class PathWalk {
  public:
    PathWalk(const Network& network, int target) : network_(network), target_(target) {}

    void walk(int at, int length) {
        if (length == 0 && at == target_) paths.push_back(path_);
        if (length == 0) return;
        for (int i = 0; i < static_cast<int>(network_.edges.size()); ++i) {
            const auto& [u, v, capacity] = network_.edges[i];
            if (at != u && at != v) continue;
            path_.push_back({i, at == u});
            walk(at == u ? v : u, length - 1);
            path_.pop_back();
        }
    }

    std::vector<std::vector<Step>> paths;

  private:
    const Network& network_;
    int target_;
    std::vector<Step> path_;
};

std::vector<std::vector<Step>> shortest_paths(const Network& network, int source, int target) {
    PathWalk all(network, target);
    for (int length = 0; all.paths.empty(); ++length) all.walk(source, length);
    return all.paths;
}

}  // namespace

Network random_network(unsigned seed, int hosts, int switches, int more) {
    std::mt19937 random(seed);
    Network network{hosts, switches, {}};
    const auto any = [&random](int below) { return static_cast<int>(random() % below); };
    for (int v = 1; v < network.vertices(); ++v) network.connect(v, any(v), 1 + any(3));
    for (int i = 0; i < more; ++i) {
        const int u = any(network.vertices());
        const int v = any(network.vertices());
        if (u != v) network.connect(u, v, 1 + any(3));
    }
    network.connect(0, network.vertices() - 1);
    network.connect(network.vertices() - 1, 0);
    return network;
}

Traffic random_traffic(unsigned seed, int hosts, int demands) {
    std::mt19937 random(seed);
    Traffic traffic{hosts, 0, {}};
    while (static_cast<int>(traffic.demands.size()) < demands) {
        const int source = static_cast<int>(random() % hosts);
        const int target = static_cast<int>(random() % hosts);
        if (source != target) traffic.demands.push_back({source, target, 0.25 * static_cast<double>(1 + random() % 8)});
    }
    return traffic;
}

LinkLoads uniform_loads_from(const Network& network, Split split, int source) {
    std::vector<double> demand(network.vertices());
    std::fill_n(demand.begin(), network.hosts, 1.0 / (network.hosts - 1));
    const Adjacency arcs(network);
    ShortestSpread spread(arcs, split, demand);
    spread.send({source});
    LinkLoads loads = loads_of_arcs(network, arcs, {}, spread.loads());
    loads.demand = 1;
    return loads;
}

Traffic listed_uniform(int hosts) {
    Traffic traffic{hosts, 0, {}};
    for (int source = 0; source < hosts; ++source) {
        for (int target = 0; target < hosts; ++target) {
            if (source != target) traffic.demands.push_back({source, target, 1.0 / (hosts - 1)});
        }
    }
    return traffic;
}

Network shuffled(Network network, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<int> name(network.vertices());
    std::iota(name.begin(), name.end(), 0);
    std::shuffle(name.begin(), name.begin() + network.hosts, random);
    std::shuffle(name.begin() + network.hosts, name.end(), random);
    std::shuffle(network.edges.begin(), network.edges.end(), random);
    for (auto& edge : network.edges) {
        edge = {name[edge.u], name[edge.v], edge.capacity};
        if (random() % 2 == 0) std::swap(edge.u, edge.v);
    }
    return network;
}

LinkLoads enumerated_loads(const Network& network, const std::vector<Demand>& demands) {
    LinkLoads loads = no_loads(network);
    for (const auto& [source, target, amount] : demands) {
        const auto paths = shortest_paths(network, source, target);
        const double each = amount / static_cast<double>(paths.size());
        for (const auto& path : paths) {
            for (const auto& [edge, forward] : path) (forward ? loads.forward : loads.backward)[edge] += each;
        }
        loads.demand += amount;
    }
    return loads;
}

std::vector<double> excess(const Network& network, const LinkLoads& loads) {
    std::vector<double> sent(network.vertices());
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
        const double net = loads.forward[i] - loads.backward[i];
        sent[network.edges[i].u] += net;
        sent[network.edges[i].v] -= net;
    }
    return sent;
}

std::vector<double> excess(const Network& network, const Traffic& traffic) {
    std::vector<double> sent(network.vertices());
    for (const auto& [source, target, amount] : traffic.demands) {
        sent[source] += amount;
        sent[target] -= amount;
    }
    return sent;
}

void check_equal(const LinkLoads& a, const LinkLoads& b) {
    REQUIRE(a.forward.size() == b.forward.size());
    CHECK(a.demand == Approx(b.demand));
    for (std::size_t i = 0; i < a.forward.size(); ++i) {
        CHECK(a.forward[i] == Approx(b.forward[i]).epsilon(1e-11).margin(1e-13));
        CHECK(a.backward[i] == Approx(b.backward[i]).epsilon(1e-11).margin(1e-13));
    }
}

void check_conserved(const Network& network, const LinkLoads& loads, const Traffic& traffic) {
    const auto by_links = excess(network, loads);
    const auto by_traffic = excess(network, traffic);
    for (int v = 0; v < network.vertices(); ++v) CHECK(by_links[v] == Approx(by_traffic[v]).margin(1e-10));
    for (std::size_t i = 0; i < network.edges.size(); ++i) {
        CHECK(loads.forward[i] >= 0);
        CHECK(loads.backward[i] >= 0);
    }
    CHECK(loads.demand == Approx(traffic.total()));
}

}  // namespace narrows::testing
