#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/topologies/least_numbers.hpp"
#include "tests/topologies/route_checks.hpp"
#include "topologies/distance.hpp"
#include "topologies/input_error.hpp"
#include "topologies/routes/uniform_loads.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

Network network_of(const std::string& spec) {
    return parse_topology(spec).graph();
}

double least(const LinkLoads& loads) {
    const double forward = *std::ranges::min_element(loads.forward);
    return std::min(forward, *std::ranges::min_element(loads.backward));
}

}  // namespace

TEST_CASE("uniform traffic loads the links of a ring by an eighth of its size, exactly (k² − odd)/8(k−1)") {
    for (const auto split : {Split::by_paths, Split::by_hop}) {
        for (int k = 3; k <= 12; ++k) {
            const Network ring = network_of("torus " + std::to_string(k));
            const LinkLoads loads = uniform_shortest_loads(ring, split).value();
            const double load = (k * k - k % 2) / (8.0 * (k - 1));
            CHECK(fullest_share(ring, loads) == Approx(load).epsilon(1e-12));
            CHECK(least(loads) == Approx(load).epsilon(1e-12));
        }
    }
}

TEST_CASE("uniform traffic loads each dimension of a torus alike and proves its sparsest cut") {
    for (const auto split : {Split::by_paths, Split::by_hop}) {
        for (const auto* spec : {"torus 8x4x4", "torus 6x5", "torus 5x5x5", "hypercube 7", "torus 9x4x2"}) {
            const Topology torus = parse_topology(spec);
            const Network network = shuffled(torus.graph(), 3);
            const LinkLoads loads = uniform_shortest_loads(network, split, 2).value();
            const auto n = static_cast<double>(torus.nodes());
            CHECK(allowed_rate(network, loads) / (n - 1) == Approx(torus.phi_value()).epsilon(1e-12));
        }
    }
}

TEST_CASE("uniform loads: every unit crosses as many links as its hosts are apart, and arrives") {
    for (const auto split : {Split::by_paths, Split::by_hop}) {
        for (const auto* spec : {"mesh 5x4x3", "torus 7x4", "fat-tree ports=6 levels=3", "fat-tree ports=4 levels=2"}) {
            const Network network = shuffled(network_of(spec), 5);
            const LinkLoads loads = uniform_shortest_loads(network, split, 3).value();
            CHECK(loads.demand == network.hosts);
            CHECK(mean_hops(loads) == Approx(host_distances(network)->mean).epsilon(1e-12));
            for (const double sent : excess(network, loads)) CHECK(std::abs(sent) < 1e-10);
        }
    }
}

TEST_CASE("loads of all paths are the same both ways") {
    const Network mesh = shuffled(network_of("mesh 5x3x2"), 1);
    const LinkLoads loads = uniform_shortest_loads(mesh, Split::by_paths).value();
    for (std::size_t i = 0; i < mesh.edges.size(); ++i) CHECK(loads.forward[i] == Approx(loads.backward[i]));
}

TEST_CASE("the loads of a full fat tree's uplinks are those that its leaf's hosts send to others") {
    const Network tree = network_of("fat-tree ports=8 levels=3");
    const double beyond_leaf = (tree.hosts - 4.0) / (tree.hosts - 1.0);
    const double beyond_pod = (tree.hosts - 16.0) / (tree.hosts - 1.0);
    for (const auto split : {Split::by_paths, Split::by_hop}) {
        const LinkLoads loads = uniform_shortest_loads(tree, split).value();
        for (std::size_t i = 0; i < tree.edges.size(); ++i) {
            const bool of_host = tree.edges[i].u < tree.hosts || tree.edges[i].v < tree.hosts;
            const double load = loads.forward[i];
            if (of_host) CHECK(load == Approx(1).epsilon(1e-12));
            if (!of_host) CHECK((load == Approx(beyond_leaf) || load == Approx(beyond_pod)));
        }
    }
}

TEST_CASE("one source's loads add up to all, and are an N-th of them where all vertices are alike") {
    const Network torus = network_of("torus 5x4");
    LinkLoads sum = no_loads(torus);
    for (int host = 0; host < torus.hosts; ++host) add_loads(sum, uniform_loads_from(torus, Split::by_hop, host));
    const LinkLoads all = uniform_shortest_loads(torus, Split::by_hop, 2).value();
    CHECK(sum.demand == Approx(all.demand));
    for (std::size_t i = 0; i < torus.edges.size(); ++i) {
        CHECK(sum.forward[i] == Approx(all.forward[i]).epsilon(1e-12));
        CHECK(sum.backward[i] == Approx(all.backward[i]).epsilon(1e-12));
    }
    const LinkLoads one = uniform_loads_from(torus, Split::by_hop, 7);
    CHECK(mean_load(all) == Approx(20 * mean_load(one)).epsilon(1e-12));
}

TEST_CASE("no flow passes more than the sparsest cut lets through") {
    for (const auto* spec : {"mesh 4x4", "mesh 3x3x2", "torus 5x4", "fat-tree ports=4 levels=3"}) {
        const Network network = network_of(spec);
        const double bound = testing::least_numbers(network).phi;
        for (const auto split : {Split::by_paths, Split::by_hop}) {
            const double rate =
                allowed_rate(network, uniform_shortest_loads(network, split).value()) / (network.hosts - 1);
            CHECK(rate <= bound * (1 + 1e-12));
        }
    }
}

TEST_CASE("loads are the same every time, and almost the same on any number of threads") {
    const Network mesh = shuffled(network_of("mesh 7x6"), 9);
    const LinkLoads one = uniform_shortest_loads(mesh, Split::by_hop, 1).value();
    const LinkLoads three = uniform_shortest_loads(mesh, Split::by_hop, 3).value();
    CHECK(three.forward == uniform_shortest_loads(mesh, Split::by_hop, 3).value().forward);
    for (std::size_t i = 0; i < mesh.edges.size(); ++i) {
        CHECK(one.forward[i] == Approx(three.forward[i]).epsilon(1e-12));
    }
    CHECK_FALSE(uniform_shortest_loads({2, 0, {{0, 1, 1}}}, Split::by_hop, 64).value().forward.empty());
}

TEST_CASE("parallel links share, and a link's capacity does not draw traffic") {
    const Network network{2, 0, {{0, 1, 1}, {1, 0, 4}, {0, 1, 1}}};
    const LinkLoads loads = uniform_shortest_loads(network, Split::by_hop).value();
    for (const double load : loads.forward) CHECK(load == Approx(1.0 / 3));
    for (const double load : loads.backward) CHECK(load == Approx(1.0 / 3));
    CHECK(fullest_share(network, loads) == Approx(1.0 / 3));
}

TEST_CASE("uniform loads can be stopped") {
    const Network torus = network_of("torus 8x4");
    int asked = 0;
    const auto third_time = [&asked] { return ++asked == 3; };
    CHECK_FALSE(uniform_shortest_loads(torus, Split::by_hop, 1, third_time));
    CHECK(asked == 3);
    CHECK_FALSE(uniform_shortest_loads(torus, Split::by_paths, 2, [] { return true; }));
    CHECK(uniform_shortest_loads(torus, Split::by_hop, 2, [] { return false; }));
}

TEST_CASE("loads of a network in parts are an error, those of a single host nothing") {
    const Network parts{4, 0, {{0, 1, 1}, {2, 3, 1}}};
    CHECK_THROWS_WITH(uniform_shortest_loads(parts, Split::by_hop, 2),
                      "host 0 cannot reach host 2: the network is not connected, give one of its parts");
    const LinkLoads loads = uniform_shortest_loads({1, 1, {{0, 1, 1}}}, Split::by_paths).value();
    CHECK(loads.demand == 0);
    CHECK(loads.forward.front() == 0);
    CHECK_NOTHROW(uniform_shortest_loads({2, 2, {{0, 1, 1}, {2, 3, 1}}}, Split::by_hop));
}

TEST_CASE("paths too many to count are an error that names the remedy") {
    const Network grid = network_of("mesh 700x700");
    CHECK_THROWS_WITH(uniform_loads_from(grid, Split::by_paths, 0), Catch::Contains("hop by hop"));
    CHECK(mean_load(uniform_loads_from(grid, Split::by_hop, 0)) > 0);
}
