#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/topologies/route_checks.hpp"
#include "topologies/distance.hpp"
#include "topologies/routes/shortest.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using namespace narrows::testing;

TEST_CASE("traffic split by paths is that of all shortest paths walked one by one") {
    for (unsigned seed = 1; seed <= 12; ++seed) {
        const Network network = random_network(seed, 9, static_cast<int>(seed % 4), 9);
        const Traffic traffic = random_traffic(seed, 9, 25);
        check_equal(*shortest_loads(network, traffic, Split::by_paths), enumerated_loads(network, traffic.demands));
    }
}

TEST_CASE("split either way, traffic is conserved and takes as many links as its ends are apart") {
    for (unsigned seed = 21; seed <= 28; ++seed) {
        const Network network = random_network(seed, 20, 6, 30);
        const Traffic traffic = random_traffic(seed, 20, 60);
        const LinkLoads by_paths = *shortest_loads(network, traffic, Split::by_paths);
        const LinkLoads by_hop = *shortest_loads(network, traffic, Split::by_hop);
        check_conserved(network, by_paths, traffic);
        check_conserved(network, by_hop, traffic);
        CHECK(mean_hops(by_paths) == Approx(mean_hops(by_hop)));
        CHECK(mean_hops(by_paths) == Approx(mean_hops(enumerated_loads(network, traffic.demands))));
    }
}

TEST_CASE("uniform traffic is the list of its pairs, on any number of threads") {
    const Network network = random_network(5, 21, 5, 12);
    for (const auto split : {Split::by_paths, Split::by_hop}) {
        const LinkLoads listed = *shortest_loads(network, listed_uniform(21), split);
        check_equal(*shortest_loads(network, uniform_traffic(21), split), listed);
        check_equal(*shortest_loads(network, uniform_traffic(21), split, 3), listed);
        CHECK(mean_hops(listed) == Approx(host_distances(network)->mean));
    }
}

TEST_CASE("paths by hop share at every vertex towards the source, paths by number over all") {
    // 0 to 6: one path by 1 and 4, two by 2 and 5 or 3 and 5.
    const Network network{
        7, 0, {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 4, 1}, {2, 5, 1}, {3, 5, 1}, {4, 6, 1}, {5, 6, 1}}};
    const Traffic traffic{7, 0, {{0, 6, 6}}};
    CHECK(shortest_loads(network, traffic, Split::by_paths)->forward == std::vector<double>{2, 2, 2, 2, 2, 2, 2, 4});
    CHECK(shortest_loads(network, traffic, Split::by_hop)->forward ==
          std::vector<double>{3, 1.5, 1.5, 3, 1.5, 1.5, 3, 3});
}

TEST_CASE("tornado and bit-complement on shortest paths") {
    const Network ring = parse_topology("torus 8").graph();
    CHECK(fullest_share(ring, *shortest_loads(ring, tornado_traffic({8}), Split::by_paths)) == Approx(3));
    const Network cube = parse_topology("hypercube 6").graph();
    const LinkLoads loads = *shortest_loads(cube, bit_complement_traffic(64), Split::by_paths);
    for (const double load : loads.forward) CHECK(load == Approx(1));
    for (const double load : loads.backward) CHECK(load == Approx(1));
}

TEST_CASE("shortest paths can be stopped, and need a way") {
    const Network parts{4, 0, {{0, 1, 1}, {2, 3, 1}}};
    CHECK_THROWS_WITH(shortest_loads(parts, {4, 0, {{0, 1, 1}, {1, 2, 1}}}, Split::by_hop),
                      "host 1 sends to host 2, which it cannot reach: the network is not connected");
    CHECK(shortest_loads(parts, {4, 0, {{3, 2, 2}}}, Split::by_hop)->backward == std::vector<double>{0, 2});
    CHECK_FALSE(shortest_loads(parts, {4, 0, {{3, 2, 2}}}, Split::by_hop, 1, [] { return true; }));
    CHECK_THROWS_AS(shortest_loads(parts, uniform_traffic(3), Split::by_hop), std::logic_error);
    const LinkLoads idle = *shortest_loads(parts, {4, 0, {}}, Split::by_hop);
    CHECK(idle.demand == 0);
    CHECK(mean_hops(idle) == 0);
}
