// The routes that the closed forms of the uniform flow rely on, walked pair by pair: one unit from every node to every
// other loads the fullest link with 1/t.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <utility>
#include <vector>

#include "tests/topologies/shapes.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

using Loads = std::map<std::pair<int, int>, double>;

double fullest(const Loads& loads) {
    double most = 0;
    for (const auto& [link, load] : loads) most = std::max(most, load);
    return most;
}

/// Sends `flow` along one dimension from `node`, `steps` in `direction`, and returns where it ends.
int walk(int node, int stride, int size, int steps, int direction, double flow, Loads& loads) {
    for (int i = 0; i < steps; ++i) {
        const int place = node / stride % size;
        const int next = node + ((place + direction + size) % size - place) * stride;
        loads[{node, next}] += flow;
        node = next;
    }
    return node;
}

/// Dimension by dimension along shortest paths, opposite nodes of an even ring half each way.
void route(int from, int to, const std::vector<int>& shape, bool torus, Loads& loads) {
    int stride = 1;
    for (const int size : shape) {
        const int ahead = to / stride % size - from / stride % size;
        const int round = (ahead + size) % size;
        const bool ring = torus && size > 2;
        if (!ring) {
            from = walk(from, stride, size, std::abs(ahead), ahead > 0 ? 1 : -1, 1, loads);
        } else if (2 * round == size) {
            walk(from, stride, size, round, 1, 0.5, loads);
            from = walk(from, stride, size, round, -1, 0.5, loads);
        } else {
            const bool forward = 2 * round < size;
            from = walk(from, stride, size, forward ? round : size - round, forward ? 1 : -1, 1, loads);
        }
        stride *= size;
    }
    REQUIRE(from == to);
}

/// One unit from every host to `to`, divided evenly at each vertex over the links that lead nearer.
void spread_towards(int to, const Network& network, const std::vector<std::vector<int>>& neighbours, Loads& loads) {
    std::vector<int> distance(network.vertices(), -1);
    std::vector<int> order{to};
    distance[to] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const int next : neighbours[order[i]]) {
            if (distance[next] >= 0) continue;
            distance[next] = distance[order[i]] + 1;
            order.push_back(next);
        }
    }
    std::vector<double> waiting(network.vertices());
    for (int host = 0; host < network.hosts; ++host) waiting[host] = 1;
    for (std::size_t i = order.size(); i-- > 1;) {
        const int at = order[i];
        const auto nearer = [&](int next) { return distance[next] < distance[at]; };
        const auto ways = static_cast<double>(std::ranges::count_if(neighbours[at], nearer));
        for (const int next : neighbours[at]) {
            if (!nearer(next)) continue;
            loads[{at, next}] += waiting[at] / ways;
            waiting[next] += waiting[at] / ways;
        }
    }
}

}  // namespace

TEST_CASE("dimension order routing carries the uniform flow of every small grid") {
    const std::string family = GENERATE("mesh", "torus");
    const std::string shape = GENERATE(from_range(testing::shapes_up_to(36)));
    if (shape == "1") return;
    const Topology topology = parse_topology(family + " " + shape);
    INFO(topology.spec());
    Loads loads;
    for (int from = 0; from < topology.nodes(); ++from) {
        for (int to = 0; to < topology.nodes(); ++to) route(from, to, topology.shape(), family == "torus", loads);
    }
    CHECK(topology.uniform_flow().exact());
    CHECK(1 / fullest(loads) == Approx(topology.uniform_flow().lower).epsilon(1e-12));
}

TEST_CASE("even division over the uplinks carries the uniform flow of a fat tree") {
    const std::string switches =
        GENERATE("ports=4 levels=2", "ports=4 levels=3", "ports=6 levels=2 taper=2:1", "ports=6 levels=3 taper=2:1",
                 "ports=4 levels=3 taper=3:1", "ports=6 levels=2 taper=1:2", "ports=8 levels=3");
    const std::int64_t most = parse_topology("fat-tree " + switches).nodes();
    for (std::int64_t hosts = 2; hosts <= most; hosts += hosts < 24 ? 1 : 13) {
        const Topology tree = parse_topology("fat-tree " + switches + " hosts=" + std::to_string(hosts));
        INFO(tree.spec());
        const Network network = tree.graph();
        std::vector<std::vector<int>> neighbours(network.vertices());
        for (const auto& edge : network.edges) {
            neighbours[edge.u].push_back(edge.v);
            neighbours[edge.v].push_back(edge.u);
        }
        Loads loads;
        for (int to = 0; to < network.hosts; ++to) spread_towards(to, network, neighbours, loads);
        CHECK(tree.uniform_flow().exact());
        CHECK(1 / fullest(loads) == Approx(tree.uniform_flow().lower).epsilon(1e-12));
    }
}
