#include <algorithm>
#include <catch2/catch.hpp>

#include "topologies/boundaries.hpp"
#include "topologies/topology.hpp"

namespace narrows {

TEST_CASE("boundaries: the groups that formulas give are those of the graph") {
    for (const char* spec :
         {"fat-tree ports=6 levels=2 taper=2:1 hosts=14", "fat-tree ports=4 levels=3 taper=1:1",
          "fat-tree ports=8 levels=3 taper=3:1 hosts=45", "fat-tree ports=4 levels=4 taper=1:1 hosts=20",
          "leaf-spine leaves=5 hosts=4 spines=2", "cu-fat-tree units=3 nodes=8 uplinks=4 spines=2", "star 9"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const std::vector<Boundary> found = boundaries(topology.graph());
        REQUIRE(topology.blocks());
        const std::vector<HostBlocks> blocks = *topology.blocks();
        REQUIRE(found.size() == blocks.size());
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            for (const double links : found[i].links) CHECK(links == blocks[i].links);
            for (int host = 0; host < topology.nodes(); ++host) CHECK(found[i].group[host] == host / blocks[i].hosts);
        }
    }
}

TEST_CASE("boundaries: halves along dimensions have the links that the graph has between them") {
    for (const char* spec : {"torus 8x5", "ring 16 hosts=4", "mesh 4x3 hosts=2", "hypercube 4 hosts=3", "tofu 2x1x3",
                             "hyperx 5x4", "complete 6 hosts=2", "flattened-butterfly 4x4 hosts=2", "torus 2x3"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const Network graph = topology.graph();
        REQUIRE_FALSE(topology.halves().empty());
        for (const Boundary& half : boundaries_of(topology.halves(), graph.hosts)) {
            std::vector<int> side = half.group;
            side.resize(graph.vertices(), -1);
            for (const Edge& edge : graph.edges) {
                if (edge.v >= graph.hosts && edge.u < graph.hosts) side[edge.v] = side[edge.u];  // that of its hosts
            }
            double links = 0;
            for (const Edge& edge : graph.edges) links += side[edge.u] != side[edge.v] ? edge.capacity : 0;
            CHECK(half.links == std::vector<double>{links, links});
            const auto small = std::ranges::count(half.group, 0);
            CHECK(small >= graph.hosts / 3);
            CHECK(small <= graph.hosts / 2);
        }
    }
    CHECK(parse_topology("slim-fly 5").halves().empty());
}

TEST_CASE("boundaries: routers and groups of a dragonfly, with the links that its graph has between them") {
    const Topology topology = parse_topology("dragonfly a=3 p=2 h=1");
    const Network graph = topology.graph();
    const auto blocks = topology.blocks();
    REQUIRE(blocks);
    for (const HostBlocks& block : *blocks) {
        const auto inside = [&](int vertex) {  // hosts and routers of the first block
            return vertex < graph.hosts ? vertex < block.hosts : vertex - graph.hosts < block.hosts / 2;
        };
        double leaving = 0;
        for (const Edge& edge : graph.edges) leaving += inside(edge.u) != inside(edge.v) ? edge.capacity : 0;
        CHECK(leaving == block.links);
    }
    CHECK(boundaries(graph).front().links == std::vector<double>(12, 3.0));
}

TEST_CASE("boundaries: capacities add up, hosts joined to each other and a lone switch have none") {
    Network network{4, 3, {}};
    for (int host = 0; host < 4; ++host) network.connect(host, 4 + host / 2, 100);
    network.connect(4, 6, 40);
    network.connect(4, 6, 60);
    network.connect(5, 6, 25);
    const std::vector<Boundary> found = boundaries(network);
    REQUIRE(found.size() == 1);
    CHECK(found.front().links == std::vector<double>{100, 25});
    CHECK(host_links(network) == std::vector<double>(4, 100.0));
    CHECK(boundaries(parse_topology("star 4").graph()).empty());
    CHECK(boundaries(parse_topology("torus 4x3").graph()).empty());
    CHECK(host_links(parse_topology("torus 4x3").graph()) == std::vector<double>(12, 4.0));
}

}  // namespace narrows
