#include <catch2/catch.hpp>

#include "topologies/distance.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

TEST_CASE("distances of a path of three") {
    const auto found = host_distances({3, 0, {{0, 1, 1}, {1, 2, 1}}});
    REQUIRE(found);
    CHECK(found->diameter == 2);
    CHECK(found->mean == Approx(8.0 / 6));
}

TEST_CASE("distances pass through switches but do not count them") {
    const auto found = host_distances({3, 1, {{0, 3, 1}, {1, 3, 1}, {2, 3, 1}}});
    REQUIRE(found);
    CHECK(found->diameter == 2);
    CHECK(found->mean == 2);
}

TEST_CASE("a single host has no distance and parts without a path have none either") {
    REQUIRE(host_distances({1, 0, {}}));
    CHECK(host_distances({1, 0, {}})->mean == 0);
    CHECK_FALSE(host_distances({4, 0, {{0, 1, 1}, {2, 3, 1}}}));
}

TEST_CASE("distances from some hosts are those from all where all are alike") {
    const Network torus = parse_topology("torus 8x8").graph();
    for (const int starts : {1, 5, 63})
        CHECK(host_distances(torus, never_stop, starts)->mean == host_distances(torus)->mean);
    const Network line = {3, 0, {{0, 1, 1}, {1, 2, 1}}};
    CHECK(host_distances(line, never_stop, 1)->mean == 1.5);
}

TEST_CASE("distances: a stopped search finds none") {
    CHECK_FALSE(host_distances(parse_topology("torus 8x8").graph(), [] { return true; }));
}
