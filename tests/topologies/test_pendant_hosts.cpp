#include <catch2/catch.hpp>
#include <limits>

#include "tests/topologies/graph_checks.hpp"

using namespace narrows;

TEST_CASE("cuts of hosts on routers agree with maximum flows over every set of hosts") {
    const Topology network = parse_topology(
        GENERATE("ring 5 hosts=2", "ring 12 hosts=1", "mesh 4x3 hosts=1", "mesh 3 hosts=4", "torus 3x2 hosts=2",
                 "hypercube 2 hosts=3", "complete 3 hosts=4", "complete 4 hosts=3", "hyperx 2x3 hosts=2",
                 "ring 1 hosts=5", "ring 3 hosts=3", "mesh 2 hosts=5", "slim-fly 3 hosts=1", "polarfly 2 hosts=2"));
    if (network.nodes() > 13) return;  // 2^17 maximum flows of slim-fly 3 are in the ground truth
    testing::check_cuts(network);
}

TEST_CASE("alpha phi and the flow of hosts on routers are as exact as those of the routers") {
    const Topology network = parse_topology(GENERATE("ring 5 hosts=2", "mesh 3x3 hosts=4", "hyperx 5x5 hosts=9"));
    CHECK(network.alpha().exact());
    CHECK(network.phi().exact());
    CHECK(network.uniform_flow().exact());
    CHECK(network.switched());
    CHECK(network.shape().empty());
}

TEST_CASE("sizes of hosts on routers agree with the graph") {
    testing::check_sizes(parse_topology(
        GENERATE("ring 5 hosts=3", "ring 1 hosts=1", "ring 1 hosts=4", "mesh 3x2 hosts=1",
                 "jellyfish 10 degree=3 hosts=2", "tofu 1x2x1 hosts=2", "kautz degree=2 diameter=2 hosts=3",
                 "twisted-torus 4x3 twist=1 hosts=2", "polarfly 3 hosts=2", "slim-fly 3 hosts=3")));
}

TEST_CASE("a number that is not known of the routers is not known of their hosts") {
    const Topology network = parse_topology("jellyfish 64 degree=6 seed=1 hosts=4");
    CHECK(network.phi_value() == std::numeric_limits<double>::infinity());
    CHECK(network.phi().method == "not known by formula");
    CHECK(network.bisection().upper == 128);
}

TEST_CASE("hosts on routers are resized by whole routers") {
    CHECK(parse_topology("torus 4x4 hosts=2").with_nodes(128).spec() == "torus 8x8 hosts=2");
    CHECK_THROWS_WITH(parse_topology("torus 4x4 hosts=2").with_nodes(7),
                      "'torus 4x4 hosts=2' cannot be resized to 7 nodes: give a multiple of the 2 hosts of a router");
    CHECK_THROWS_WITH(parse_topology("slim-fly 5 hosts=2").with_nodes(7),
                      "'slim-fly 5 hosts=2' cannot be resized to 7 nodes: choose another q, of 2*q*q routers, or take "
                      "a part of its hosts");
}
