#include <catch2/catch.hpp>

#include "tests/topologies/graph_checks.hpp"

using namespace narrows;

namespace {

/// The most arcs from any node to any other, their directions kept: the arc of a link leads from u to v.
int directed_diameter(const Network& network) {
    std::vector<std::vector<int>> next(network.hosts);
    for (const Edge& edge : network.edges) next[edge.u].push_back(edge.v);
    int diameter = 0;
    for (int start = 0; start < network.hosts; ++start) {
        std::vector<int> distance(network.hosts, -1), order{start};
        distance[start] = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (const int node : next[order[i]]) {
                if (distance[node] >= 0) continue;
                distance[node] = distance[order[i]] + 1;
                order.push_back(node);
            }
        }
        REQUIRE(static_cast<int>(order.size()) == network.hosts);
        diameter = std::max(diameter, distance[order.back()]);
    }
    return diameter;
}

}  // namespace

TEST_CASE("a Kautz graph has its degree both ways and its diameter") {
    const auto [degree, diameter, nodes] =
        GENERATE(std::array{2, 3, 12}, std::array{2, 4, 24}, std::array{3, 2, 12}, std::array{3, 3, 36},
                 std::array{4, 1, 5}, std::array{2, 6, 96}, std::array{1, 5, 2});
    const Topology kautz =
        parse_topology("kautz degree=" + std::to_string(degree) + " diameter=" + std::to_string(diameter));
    INFO(kautz.spec());
    const Network network = kautz.graph();
    CHECK(kautz.nodes() == nodes);
    CHECK(directed_diameter(network) == (degree == 1 ? 1 : diameter));
    std::vector<int> out(network.hosts), in(network.hosts);
    for (const Edge& edge : network.edges) {
        CHECK(edge.u != edge.v);
        ++out[edge.u];
        ++in[edge.v];
    }
    CHECK(out == std::vector<int>(nodes, degree));
    CHECK(in == out);
    testing::check_sizes(kautz);
}
