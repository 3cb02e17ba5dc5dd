#include <catch2/catch.hpp>
#include <cmath>

#include "tests/topologies/graph_checks.hpp"
#include "tests/topologies/shapes.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

TEST_CASE("cuts of every small mesh and torus agree with exhaustive search") {
    const std::string family = GENERATE("mesh", "torus");
    const std::string shape = GENERATE(from_range(testing::shapes_up_to(16)));
    testing::check_exact_cuts(parse_topology(family + " " + shape));
}

TEST_CASE("cuts of selected larger grids agree with exhaustive search") {
    // Odd sizes alone, and odd rings beside dimensions of two: where the bisection is no slab.
    testing::check_exact_cuts(parse_topology(
        GENERATE("mesh 5x2x2", "torus 5x2x2", "mesh 3x3x2", "torus 3x3x2", "torus 7x3", "mesh 7x3", "torus 9x2",
                 "torus 2x11", "mesh 5x4", "torus 5x4", "torus 6x3", "mesh 5x5", "torus 5x5", "torus 3x2x2x2")));
}

TEST_CASE("the bisection of a 3x3x3 mesh and torus agrees with exhaustive search") {
    testing::check_exact_cuts(parse_topology(GENERATE("mesh 3x3x3", "torus 3x3x3")));
}

TEST_CASE("sizes and distances of every small mesh and torus agree with the graph") {
    const std::string family = GENERATE("mesh", "torus");
    const std::string shape = GENERATE(from_range(testing::shapes_up_to(60)));
    testing::check_sizes(parse_topology(family + " " + shape));
}

TEST_CASE("a hypercube is a mesh and a torus of twos") {
    const int dimensions = GENERATE(1, 2, 3, 4, 10, 20);
    std::string shape = "2";
    for (int i = 1; i < dimensions; ++i) shape += "x2";
    const Topology cube = parse_topology("hypercube " + std::to_string(dimensions));
    for (const char* family : {"mesh ", "torus "}) {
        const Topology grid = parse_topology(family + shape);
        CHECK(cube.nodes() == grid.nodes());
        CHECK(cube.links() == grid.links());
        CHECK(cube.bisection().lower == grid.bisection().lower);
        CHECK(cube.alpha().lower == grid.alpha().lower);
        CHECK(cube.phi().lower == grid.phi().lower);
    }
    CHECK(cube.shape() == std::vector<int>(dimensions, 2));
    CHECK(cube.links() == cube.nodes() / 2 * dimensions);
    CHECK(cube.bisection().lower == std::ldexp(1, dimensions - 1));
    CHECK(cube.alpha().lower == 1);
    CHECK(cube.distances()->diameter == dimensions);
    CHECK(cube.distances()->mean ==
          Approx(dimensions * std::ldexp(1, dimensions - 1) / (std::ldexp(1, dimensions) - 1)));
}

TEST_CASE("the order of dimensions changes no number") {
    const Topology one = parse_topology("torus 2x5x4x3");
    const Topology other = parse_topology("torus 5x4x3x2");
    CHECK(one.bisection().lower == other.bisection().lower);
    CHECK(one.alpha().lower == other.alpha().lower);
    CHECK(one.phi().lower == other.phi().lower);
    CHECK(one.distances()->mean == Approx(other.distances()->mean));
    CHECK_FALSE(one == other);
}

TEST_CASE("the uniform cut numbers bound each other") {
    const std::string family = GENERATE("mesh", "torus");
    const std::string shape = GENERATE(from_range(testing::shapes_up_to(200)));
    if (shape == "1") return;
    const Topology topology = parse_topology(family + " " + shape);
    INFO(topology.spec());
    const auto n = static_cast<double>(topology.nodes());
    const double halves = std::floor(n / 2) * std::ceil(n / 2);
    const double rounding = 1 + 1e-12;
    CHECK(topology.uniform_flow().upper <= topology.phi().lower * rounding);
    CHECK(topology.phi().lower * std::ceil(n / 2) <= topology.alpha().upper * rounding);
    CHECK(topology.phi().lower * halves <= topology.bisection().upper * rounding);
    CHECK(topology.alpha().lower * std::floor(n / 2) <= topology.bisection().upper * rounding);
    CHECK(topology.phi_value() == topology.phi().upper);
}

TEST_CASE("a longer dimension makes every cut sparser") {
    double before = infinity;
    for (const int size : {4, 5, 6, 8, 9, 16, 33, 64}) {
        const double phi = parse_topology("torus " + std::to_string(size) + "x4").phi_value();
        CHECK(phi < before);
        before = phi;
    }
}

TEST_CASE("a single node has no links and nothing limits it") {
    const Topology single = parse_topology(GENERATE("mesh 1", "torus 1x1", "hypercube 0"));
    CHECK(single.nodes() == 1);
    CHECK(single.links() == 0);
    CHECK(single.degree() == 0);
    CHECK(single.distances()->diameter == 0);
    CHECK(single.distances()->mean == 0);
    CHECK(single.bisection().upper == 0);
    CHECK(single.alpha().lower == infinity);
    CHECK(single.phi_value() == infinity);
    CHECK(single.uniform_flow().lower == infinity);
    CHECK(Topology().nodes() == 1);
}

TEST_CASE("numbers at the largest size are exact") {
    const Topology large = parse_topology("torus 1048576x1048576");
    CHECK(large.nodes() == std::int64_t{1} << 40);
    CHECK(large.links() == std::int64_t{1} << 41);
    CHECK(large.bisection().lower == std::ldexp(1, 21));
    CHECK(large.alpha().lower == std::ldexp(1, -18));
    CHECK(large.phi_value() == std::ldexp(1, -57));
}
