#include <catch2/catch.hpp>

#include "route_checks.hpp"
#include "topologies/written_grid.hpp"

using namespace narrows;
using narrows::testing::shuffled;

TEST_CASE("a grid whose links were written out is the one that they were written from") {
    for (const char* spec : {"torus 3x5x4", "torus 5x3x4", "torus 4x4", "torus 2x4x2", "torus 6x2", "torus 7", "mesh 6",
                             "mesh 4x2x5", "mesh 3x3", "hypercube 5", "torus 4x8x4x2"}) {
        INFO(spec);
        const Topology grid = parse_topology(spec);
        const auto found = written_grid(grid.graph());
        REQUIRE(found);
        CHECK(found->shape() == grid.shape());
        CHECK(found->grid_wraps() == grid.grid_wraps());
    }
}

TEST_CASE("what differs from a grid in a link, a capacity or its numbers is none") {
    const Network torus = parse_topology("torus 5x4").graph();
    CHECK_FALSE(written_grid(shuffled(torus, 3)));
    Network other = torus;
    other.edges.back().capacity = 2;
    CHECK_FALSE(written_grid(other));
    other = torus;
    other.edges.pop_back();
    CHECK_FALSE(written_grid(other));
    CHECK_FALSE(written_grid(parse_topology("hyperx 5x4").graph()));
    CHECK_FALSE(written_grid(parse_topology("fat-tree ports=4 levels=2").graph()));
    CHECK_FALSE(written_grid(torus, [] { return true; }));
}
