#include <catch2/catch.hpp>

#include "tests/topologies/graph_checks.hpp"

using namespace narrows;

TEST_CASE("cuts of small leaf-spine networks agree with maximum flows over every set of hosts") {
    const Topology tree = parse_topology(GENERATE(
        "star 2", "star 7", "leaf-spine leaves=2 hosts=5 spines=2", "leaf-spine leaves=3 hosts=3 spines=2",
        "leaf-spine leaves=3 hosts=4 spines=2 used=9", "leaf-spine leaves=2 hosts=5 spines=1 used=6",
        "cu-fat-tree units=4 nodes=3 uplinks=2 spines=2 used=10", "leaf-spine leaves=4 hosts=3 spines=1 links=2",
        "leaf-spine leaves=5 hosts=2 spines=3", "leaf-spine leaves=1 hosts=6 spines=2",
        "leaf-spine leaves=6 hosts=2 spines=1", "cu-fat-tree units=3 nodes=4 uplinks=2 spines=1"));
    testing::check_cuts(tree);
    CHECK(tree.bisection().exact());
    CHECK(tree.alpha().exact());
    CHECK(tree.phi().exact());
    CHECK(tree.uniform_flow().exact());
}

TEST_CASE("sizes of leaf-spine networks agree with the graph") {
    testing::check_sizes(parse_topology(
        GENERATE("star 1", "star 9", "leaf-spine leaves=4 hosts=3 spines=2 links=2",
                 "leaf-spine leaves=1 hosts=1 spines=1", "leaf-spine leaves=2 hosts=8 spines=3 used=3",
                 "leaf-spine leaves=3 hosts=8 spines=3 used=19", "cu-fat-tree units=5 nodes=3 uplinks=4 spines=2")));
}

TEST_CASE("Roadrunner has 3,060 nodes behind 96 uplinks for every 180") {
    const Topology roadrunner = parse_topology("cu-fat-tree units=17 nodes=180 uplinks=96 spines=8");
    CHECK(roadrunner.nodes() == 3060);
    CHECK(roadrunner.degree() == 276);
    CHECK(roadrunner.links() == 3060 + 17 * 96);
    CHECK(roadrunner.alpha().lower == Approx(96.0 / 180));
    CHECK(roadrunner.phi_value() == Approx(96.0 / (180 * 2880)));
    CHECK(roadrunner.bisection().lower == 8 * 96 + 90);
    CHECK(roadrunner.with_nodes(4320).spec() == "cu-fat-tree units=24 nodes=180 uplinks=96 spines=8");
}

TEST_CASE("nodes in use fill leaf switches in order, and the last one may have fewer") {
    const Topology whole = parse_topology("leaf-spine leaves=4 hosts=4 spines=2");
    const Topology part = whole.with_nodes(10);
    CHECK(part.spec() == "leaf-spine leaves=3 hosts=4 spines=2 used=10");
    CHECK(parse_topology(part.spec()).graph().edges.size() == 10 + 3 * 2);
    CHECK(parse_topology("leaf-spine leaves=4 hosts=4 spines=2 used=10").spec() == part.spec());
    CHECK(whole.with_nodes(16).spec() == whole.spec());
    CHECK(part.phi_value() == Approx(2.0 / (4 * 6)));
    CHECK(part.with_nodes(3).phi_value() == Approx(1.0 / 2));
}

TEST_CASE("a leaf-spine network with an impossible number is refused with the remedy") {
    CHECK_THROWS_WITH(parse_topology("leaf-spine leaves=4 hosts=4 spines=2").with_nodes(0),
                      "'leaf-spine leaves=4 hosts=4 spines=2' cannot be resized to 0 nodes: give from 1 to 262144");
    CHECK_THROWS_WITH(parse_topology("star 4").with_nodes(0), "a star cannot have 0 nodes: give from 1 to 33554432");
}
