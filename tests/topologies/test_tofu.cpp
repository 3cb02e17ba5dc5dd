#include <catch2/catch.hpp>

#include "tests/topologies/graph_checks.hpp"

using namespace narrows;

TEST_CASE("a Tofu network is a torus of six dimensions") {
    const Topology tofu = parse_topology("tofu 4x3x5");
    const Topology torus = parse_topology("torus 4x3x5x2x3x2");
    CHECK(tofu.nodes() == 720);
    CHECK(tofu.links() == torus.links());
    CHECK(tofu.degree() == 10);
    CHECK(tofu.bisection().lower == torus.bisection().lower);
    CHECK(tofu.alpha().lower == torus.alpha().lower);
    CHECK(tofu.phi_value() == torus.phi_value());
    CHECK(tofu.shape() == torus.shape());
    CHECK(tofu.with_nodes(96).spec() == "tofu 2x2x2");
    testing::check_sizes(tofu);
}

TEST_CASE("a ring is a torus of one dimension") {
    const Topology ring = parse_topology("ring 9");
    CHECK(ring.phi_value() == parse_topology("torus 9").phi_value());
    CHECK(ring.with_nodes(4).spec() == "ring 4");
    testing::check_sizes(ring);
    CHECK(parse_topology("ring 2").links() == 1);
}

TEST_CASE("an impossible Tofu network is refused with the remedy") {
    CHECK_THROWS_WITH(parse_topology("tofu 1x1x1").with_nodes(13),
                      "a Tofu network cannot have 13 nodes: give a multiple of 12, at most 1099511627776");
}
