#include "tests/topologies/graph_checks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "tests/error_of.hpp"
#include "tests/topologies/least_numbers.hpp"
#include "topologies/distance.hpp"

namespace narrows::testing {
namespace {

void check_within(const Bracket& bracket, double value) {
    CHECK(bracket.lower <= value * (1 + 1e-13));
    CHECK(bracket.upper >= value * (1 - 1e-13));
}

}  // namespace

std::vector<int> degrees(const Network& network) {
    std::vector<int> degree(network.vertices());
    for (const Edge& edge : network.edges) {
        ++degree[edge.u];
        ++degree[edge.v];
    }
    return degree;
}

bool is_simple(const Network& network) {
    std::set<std::pair<int, int>> links;
    return std::ranges::all_of(network.edges, [&](const Edge& edge) {
        return edge.u != edge.v && links.insert(std::minmax(edge.u, edge.v)).second;
    });
}

int girth(const Network& network) {
    std::vector<std::vector<int>> neighbours(network.vertices());
    for (const Edge& edge : network.edges) {
        neighbours[edge.u].push_back(edge.v);
        neighbours[edge.v].push_back(edge.u);
    }
    int shortest = 0;
    for (int start = 0; start < network.vertices(); ++start) {
        std::vector<int> distance(network.vertices(), -1), parent(network.vertices(), -1), order{start};
        distance[start] = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const int at = order[i];
            for (const int next : neighbours[at]) {
                if (distance[next] < 0) {
                    distance[next] = distance[at] + 1;
                    parent[next] = at;
                    order.push_back(next);
                } else if (next != parent[at]) {
                    const int cycle = distance[at] + distance[next] + 1;
                    if (shortest == 0 || cycle < shortest) shortest = cycle;
                }
            }
        }
    }
    return shortest;
}

void check_sizes(const Topology& topology) {
    INFO(topology.spec());
    const Network graph = topology.graph();
    const auto measured = host_distances(graph);
    REQUIRE(measured);
    CHECK(topology.nodes() == graph.hosts);
    CHECK(topology.links() == std::ssize(graph.edges));
    CHECK(topology.degree() == largest_degree(graph));
    CHECK(topology.switched() == (graph.switches > 0));
    const auto stated = topology.distances();
    REQUIRE(stated);
    CHECK(stated->diameter == measured->diameter);
    CHECK(stated->mean == Approx(measured->mean).epsilon(1e-13));
}

void check_cuts(const Topology& topology) {
    INFO(topology.spec());
    const auto cuts = least_numbers(topology.graph());
    check_within(topology.bisection(), cuts.bisection);
    check_within(topology.alpha(), cuts.alpha);
    check_within(topology.phi(), cuts.phi);
    CHECK(topology.uniform_flow().lower <= cuts.phi * (1 + 1e-13));
}

void check_exact_cuts(const Topology& topology) {
    check_cuts(topology);
    for (const Bracket& number : {topology.bisection(), topology.alpha(), topology.phi()}) CHECK(number.exact());
}

std::string complaint(const std::string& spec) {
    return error_of([&] { parse_topology(spec); });
}

}  // namespace narrows::testing
