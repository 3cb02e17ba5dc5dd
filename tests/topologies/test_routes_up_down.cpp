#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/topologies/route_checks.hpp"
#include "topologies/routes/shortest.hpp"
#include "topologies/routes/up_down.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using namespace narrows::testing;

TEST_CASE("up/down routing of uniform traffic carries what a fat tree's closed form says") {
    for (const auto* spec : {"fat-tree ports=4 levels=2", "fat-tree ports=8 levels=3", "fat-tree ports=6 levels=3",
                             "fat-tree ports=8 levels=3 taper=3:1", "fat-tree ports=8 levels=3 hosts=19"}) {
        const Topology tree = parse_topology(spec);
        const Network network = shuffled(tree.graph(), 2);
        const LinkLoads loads = *up_down_loads(network, uniform_traffic(network.hosts));
        CHECK(allowed_rate(network, loads) / (network.hosts - 1) == Approx(tree.uniform_flow().lower));
        CHECK(mean_hops(loads) == Approx(tree.distances()->mean));
        check_conserved(network, loads, uniform_traffic(network.hosts));
    }
}

TEST_CASE("in a fat tree the ways up and down are all shortest paths") {
    const Network tree = parse_topology("fat-tree ports=6 levels=3").graph();
    for (const Traffic& traffic : {random_traffic(3, tree.hosts, 200), bit_complement_traffic(tree.hosts),
                                   uniform_traffic(tree.hosts), nearest_neighbour_traffic(tree)}) {
        check_equal(*up_down_loads(tree, traffic), *shortest_loads(tree, traffic, Split::by_paths));
    }
}

TEST_CASE("a fat tree of full bisection carries a permutation between its halves with every link full") {
    const Network tree = parse_topology("fat-tree ports=8 levels=3").graph();
    const LinkLoads loads = *up_down_loads(tree, bit_complement_traffic(tree.hosts));
    for (const double load : loads.forward) CHECK(load == Approx(1));
    for (const double load : loads.backward) CHECK(load == Approx(1));
}

TEST_CASE("traffic turns at the lowest level that it can, and only where its target is below") {
    // Leaves 4 and 5 of hosts 0, 1 and 2, 3; 6 is above both, 7 above 4 alone, 6 joined to 5 by two links.
    const Network tree{4, 4, {{0, 4, 1}, {1, 4, 1}, {2, 5, 1}, {3, 5, 1}, {4, 6, 1}, {4, 7, 1}, {5, 6, 1}, {6, 5, 1}}};
    const LinkLoads loads = *up_down_loads(tree, {4, 0, {{0, 1, 1}, {0, 2, 2}}});
    CHECK(loads.forward == std::vector<double>{3, 0, 0, 0, 2, 0, 0, 1});
    CHECK(loads.backward == std::vector<double>{0, 1, 2, 0, 0, 0, 1, 0});
}

TEST_CASE("up/down routing refuses what is no tree of switches, and can be stopped") {
    CHECK_THROWS_WITH(up_down_loads(parse_topology("torus 4").graph(), uniform_traffic(4)),
                      Catch::Contains("a link joins host 0 and host 1, both 0 links above the nearest host"));
    // Two trees that share a host: no way up and down from one to the other.
    const Network two{3, 2, {{0, 3, 1}, {1, 3, 1}, {1, 4, 1}, {2, 4, 1}}};
    CHECK_THROWS_WITH(up_down_loads(two, uniform_traffic(3)),
                      Catch::Contains("no way up and down from host 2 to host 0"));
    CHECK(up_down_loads(two, {3, 0, {{0, 1, 1}}})->demand == 1);
    CHECK_FALSE(up_down_loads(two, {3, 0, {{0, 1, 1}}}, [] { return true; }));
    CHECK_THROWS_AS(up_down_loads(two, uniform_traffic(2)), std::logic_error);
}
