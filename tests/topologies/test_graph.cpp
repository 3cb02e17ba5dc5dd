#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

#include "topologies/graph.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

TEST_CASE("a network with an impossible edge is refused") {
    CHECK_NOTHROW(require_valid({2, 0, {{0, 1, 1}}}));
    CHECK_THROWS_AS(require_valid({0, 2, {{0, 1, 1}}}), std::logic_error);
    CHECK_THROWS_AS(require_valid({2, 0, {{0, 2, 1}}}), std::logic_error);
    CHECK_THROWS_AS(require_valid({2, 0, {{-1, 1, 1}}}), std::logic_error);
    CHECK_THROWS_AS(require_valid({2, 0, {{1, 1, 1}}}), std::logic_error);
    CHECK_THROWS_AS(require_valid({2, 0, {{0, 1, 0}}}), std::logic_error);
    CHECK_THROWS_AS(require_valid({2, 0, {{0, 1, std::numeric_limits<double>::quiet_NaN()}}}), std::logic_error);
}

TEST_CASE("the largest degree counts hosts and switches") {
    CHECK(largest_degree({3, 1, {{0, 3, 1}, {1, 3, 1}, {2, 3, 1}}}) == 3);
    CHECK(largest_degree({1, 0, {}}) == 0);
}

TEST_CASE("the first dimension is fastest in the numbering of nodes") {
    const Network ring = parse_topology("torus 3x2").graph();
    REQUIRE(ring.edges.size() == 9);
    const auto has = [&](int u, int v) {
        for (const auto& edge : ring.edges) {
            if ((edge.u == u && edge.v == v) || (edge.u == v && edge.v == u)) return true;
        }
        return false;
    };
    CHECK(has(0, 1));
    CHECK(has(1, 2));
    CHECK(has(2, 0));
    CHECK(has(0, 3));
    CHECK(has(5, 2));
    CHECK_FALSE(has(2, 3));
}

TEST_CASE("a network too large to write out is refused") {
    CHECK_THROWS_AS(parse_topology("torus 1024x1024x1024").graph(), std::logic_error);
    CHECK_THROWS_AS(parse_topology("fat-tree ports=512 levels=3").graph(), std::logic_error);
}
