#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/topologies/graph_checks.hpp"

using namespace narrows;

TEST_CASE("a PolarFly has diameter two and q plus one routers of degree q") {
    const int q = GENERATE(2, 3, 4, 5, 7, 8, 9, 11, 16, 27);
    const Topology fly = parse_topology("polarfly " + std::to_string(q));
    INFO(fly.spec());
    const Network network = fly.graph();
    const std::vector<int> degree = testing::degrees(network);
    CHECK(testing::is_simple(network));
    CHECK(std::ranges::count(degree, q) == q + 1);
    CHECK(std::ranges::count(degree, q + 1) == std::int64_t{q} * q);
    testing::check_sizes(fly);
    CHECK(fly.distances()->diameter == 2);
}

TEST_CASE("no PolarFly has a cycle of four") {
    // Two lines of a projective plane meet in one point: triangles, pentagons, no squares.
    const Network network = parse_topology("polarfly 5").graph();
    std::vector<std::vector<int>> common(network.hosts, std::vector<int>(network.hosts));
    std::vector<std::vector<int>> neighbours(network.hosts);
    for (const Edge& edge : network.edges) {
        neighbours[edge.u].push_back(edge.v);
        neighbours[edge.v].push_back(edge.u);
    }
    int most = 0;
    for (const auto& around : neighbours) {
        for (const int u : around) {
            for (const int v : around) {
                if (u < v) most = std::max(most, ++common[u][v]);
            }
        }
    }
    CHECK(most == 1);
}

TEST_CASE("the bounds of a PolarFly hold") {
    testing::check_cuts(parse_topology(GENERATE("polarfly 2", "polarfly 3", "polarfly 4")));
    const Topology fly = parse_topology("polarfly 4");
    CHECK(fly.phi().lower == Approx(1.0 / 7));  // q + 1 − √q = 3 of 21 routers
    CHECK(fly.phi_value() == fly.uniform_flow().upper);
}
