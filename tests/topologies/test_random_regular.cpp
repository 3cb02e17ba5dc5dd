#include <catch2/catch.hpp>

#include "tests/topologies/graph_checks.hpp"
#include "topologies/distance.hpp"

using namespace narrows;

namespace {

std::vector<std::pair<int, int>> links_of(const std::string& spec) {
    std::vector<std::pair<int, int>> links;
    for (const Edge& edge : parse_topology(spec).graph().edges) links.emplace_back(edge.u, edge.v);
    return links;
}

}  // namespace

TEST_CASE("every random regular graph is regular and simple and connected") {
    const int nodes = GENERATE(2, 3, 4, 5, 6, 9, 12, 17, 40);
    for (int degree = nodes == 2 ? 1 : 2; degree < nodes; ++degree) {
        if (nodes % 2 == 1 && degree % 2 == 1) continue;
        for (const int seed : {0, 1, 2}) {
            const Topology graph =
                parse_topology("random-regular " + std::to_string(nodes) + " degree=" + std::to_string(degree) +
                               " seed=" + std::to_string(seed));
            INFO(graph.spec());
            const Network network = graph.graph();
            CHECK(testing::is_simple(network));
            for (const int found : testing::degrees(network)) REQUIRE(found == degree);
            CHECK(host_distances(network));
            CHECK(graph.links() == std::ssize(network.edges));
        }
    }
}

TEST_CASE("a seed gives the same graph everywhere") {
    const std::vector<std::pair<int, int>> pinned{{0, 4}, {0, 6}, {0, 7}, {1, 2}, {1, 4}, {1, 6},
                                                  {2, 3}, {2, 6}, {3, 5}, {3, 7}, {4, 5}, {5, 7}};
    CHECK(links_of("random-regular 8 degree=3 seed=1") == pinned);
    CHECK(links_of("jellyfish 8 degree=3 seed=1") == pinned);
    CHECK(links_of("jellyfish 8 degree=3") == pinned);
    CHECK(links_of("jellyfish 8 degree=3 seed=2") != pinned);
}

TEST_CASE("a large random regular graph is small in diameter") {
    const Topology graph = parse_topology("jellyfish 1024 degree=12");
    CHECK(graph.spec() == "jellyfish 1024 degree=12 seed=1");
    REQUIRE(graph.distances());
    CHECK(graph.distances()->diameter == 4);
    CHECK(graph.with_nodes(512).spec() == "jellyfish 512 degree=12 seed=1");
}

TEST_CASE("distances too long to measure are absent") {
    CHECK_FALSE(parse_topology("jellyfish 100000 degree=4").distances());
    CHECK(parse_topology("jellyfish 2 degree=1").links() == 1);
}
