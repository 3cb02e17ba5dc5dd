#include <catch2/catch.hpp>

#include "route_checks.hpp"
#include "topologies/product.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using narrows::testing::shuffled;

TEST_CASE("a grid is recognised whatever the order of its vertices") {
    for (const char* spec : {"torus 7x6x5", "torus 8x4x3", "mesh 5x4x2", "mesh 3x3", "hypercube 5", "torus 4x4x4",
                             "torus 12x5", "mesh 9x2", "torus 3x3"}) {
        INFO(spec);
        const Topology grid = parse_topology(spec);
        const auto factors = cartesian_factors(shuffled(grid.graph(), 1));
        REQUIRE_FALSE(factors.empty());
        const Topology found = parse_topology(grid_spec(factors));
        CHECK(found.nodes() == grid.nodes());
        CHECK(found.links() == grid.links());
        CHECK(found.bisection().upper == grid.bisection().upper);
        CHECK(found.phi().upper == Approx(grid.phi().upper));
        CHECK(found.alpha().upper == Approx(grid.alpha().upper));
    }
}

TEST_CASE("products of other networks have their factors found") {
    const auto factors = cartesian_factors(shuffled(parse_topology("hyperx 5x4").graph(), 2));
    REQUIRE(factors.size() == 2);
    CHECK(factors[0].hosts == 5);
    CHECK(factors[0].edges.size() == 10);
    CHECK(factors[1].edges.size() == 6);
    CHECK(grid_spec(factors).empty());
}

TEST_CASE("what is no product is not taken for one") {
    CHECK(cartesian_factors(parse_topology("slim-fly 5").graph()).empty());
    CHECK(cartesian_factors(parse_topology("ring 9").graph()).empty());
    Network torus = shuffled(parse_topology("torus 6x5").graph(), 3);
    torus.edges[7].capacity = 2;
    CHECK(cartesian_factors(torus).empty());
    torus.edges.erase(torus.edges.begin() + 7);
    CHECK(cartesian_factors(torus).empty());
    CHECK(cartesian_factors(parse_topology("twisted-torus 8x4 twist=2").graph()).empty());
}

TEST_CASE("a dimension may have links of a capacity of its own") {
    Network network{12, 0, {}};  // a ring of four times a ring of three whose links are doubled
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x) {
            network.connect(4 * y + x, 4 * y + (x + 1) % 4, 1);
            network.connect(4 * y + x, 4 * ((y + 1) % 3) + x, 2);
        }
    }
    CHECK(cartesian_factors(network).size() == 3);  // the ring of four is two pairs
    CHECK(grid_spec(cartesian_factors(network)).empty());
}

TEST_CASE("factors: a stopped search finds none") {
    CHECK(cartesian_factors(parse_topology("torus 8x8").graph(), [] { return true; }).empty());
}
