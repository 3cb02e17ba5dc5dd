#include <catch2/catch.hpp>

#include "tests/topologies/graph_checks.hpp"

using namespace narrows;

TEST_CASE("a twisted torus is regular and its sizes agree with the graph") {
    const Topology torus =
        parse_topology(GENERATE("twisted-torus 8x4 twist=4", "twisted-torus 4x2 twist=2", "twisted-torus 2x5 twist=1",
                                "twisted-torus 6x4x3 twist=3", "twisted-torus 5x3 twist=0", "twisted-torus 4x2 twist=0",
                                "twisted-torus 3x1x3 twist=2"));
    testing::check_sizes(torus);
    const Network network = torus.graph();
    CHECK(testing::is_simple(network));
    for (const int degree : testing::degrees(network)) REQUIRE(degree == torus.degree());
}

TEST_CASE("a torus without a twist is a torus") {
    const Topology twisted = parse_topology("twisted-torus 6x4 twist=0");
    const Topology torus = parse_topology("torus 6x4");
    CHECK(twisted.links() == torus.links());
    CHECK(twisted.distances()->mean == Approx(torus.distances()->mean));
    CHECK(twisted.phi_value() == Approx(torus.phi_value()));
}

TEST_CASE("a twist shortens the ways of an oblong torus") {
    const Topology twisted = parse_topology("twisted-torus 8x4 twist=4");
    const Topology torus = parse_topology("torus 8x4");
    CHECK(twisted.distances()->diameter == 4);
    CHECK(torus.distances()->diameter == 6);
    CHECK(twisted.distances()->mean < torus.distances()->mean);
}

TEST_CASE("upper ends of twisted tori hold") {
    testing::check_cuts(
        parse_topology(GENERATE("twisted-torus 4x4 twist=2", "twisted-torus 4x4 twist=1", "twisted-torus 8x2 twist=4",
                                "twisted-torus 8x2 twist=1", "twisted-torus 3x5 twist=1", "twisted-torus 2x3x3 twist=1",
                                "twisted-torus 3x2x2 twist=2", "twisted-torus 5x3 twist=2")));
}
