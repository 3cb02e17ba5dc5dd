#include <catch2/catch.hpp>
#include <limits>

#include "tests/topologies/graph_checks.hpp"
#include "tests/topologies/shapes.hpp"

using namespace narrows;

TEST_CASE("cuts of every small HyperX agree with exhaustive search") {
    const std::string shape = GENERATE(from_range(testing::shapes_up_to(16)));
    const Topology hyperx = parse_topology("hyperx " + shape);
    if (hyperx.nodes() == 1) return;
    testing::check_cuts(hyperx);
    CHECK(hyperx.bisection().exact());
    CHECK(hyperx.alpha().exact());
    CHECK(hyperx.phi().exact());
    CHECK(hyperx.uniform_flow().exact());
}

TEST_CASE("the cuts of a HyperX are the least of the initial segments of Lindsey's order") {
    // Counted edge by edge: nodes in the order of their numbers, the largest dimension fastest.
    const std::string shape = GENERATE("7x7", "9x5", "7x5x3", "5x5x5", "11x4", "6x6x3", "13x3");
    const Topology hyperx = parse_topology("hyperx " + shape);
    INFO(shape);
    const Network graph = hyperx.graph();
    std::vector<int> earlier(graph.hosts);
    for (const Edge& edge : graph.edges) ++earlier[std::max(edge.u, edge.v)];
    double cut = 0, least = 1e9;
    for (int count = 1; count <= graph.hosts / 2; ++count) {
        cut += static_cast<double>(hyperx.degree()) - 2 * earlier[count - 1];
        least = std::min(least, cut / count);
    }
    CHECK(hyperx.bisection().lower == cut);
    CHECK(hyperx.alpha().lower == Approx(least).epsilon(1e-14));
}

TEST_CASE("a HyperX with two nodes a dimension is a hypercube") {
    const Topology hyperx = parse_topology("hyperx 2x2x2x2x2x2x2");
    const Topology cube = parse_topology("hypercube 7");
    CHECK(hyperx.bisection().lower == cube.bisection().lower);
    CHECK(hyperx.alpha().lower == cube.alpha().lower);
    CHECK(hyperx.phi_value() == cube.phi_value());
    CHECK(hyperx.distances()->mean == Approx(cube.distances()->mean));
}

TEST_CASE("a complete graph sends every flow over a link of its own") {
    const Topology complete = parse_topology("complete 1001");
    CHECK(complete.bisection().lower == 500 * 501);
    CHECK(complete.alpha().lower == 501);
    CHECK(complete.uniform_flow().lower == 1);
    CHECK(complete.distances()->mean == 1);
    CHECK(parse_topology("complete 1").phi_value() == std::numeric_limits<double>::infinity());
}

TEST_CASE("sizes of HyperX networks agree with the graph") {
    testing::check_sizes(parse_topology(GENERATE("hyperx 5x5", "hyperx 4x1x3", "hyperx 3x3x2", "complete 9",
                                                 "complete 1", "flattened-butterfly 4x4 hosts=4", "hyperx 1x1")));
    CHECK(parse_topology("hyperx 4x2").shape() == std::vector<int>{4, 2});
}
