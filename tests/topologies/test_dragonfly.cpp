#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/topologies/graph_checks.hpp"

using namespace narrows;

namespace {

/// Links between every two groups of `a` routers.
std::map<std::pair<int, int>, int> links_between_groups(const Network& network, int a) {
    std::map<std::pair<int, int>, int> links;
    for (const Edge& edge : network.edges) {
        const int from = edge.u / a;
        const int to = edge.v / a;
        if (from != to) ++links[std::minmax(from, to)];
    }
    return links;
}

}  // namespace

TEST_CASE("a balanced dragonfly is regular with one link between any two groups") {
    const std::string wiring = GENERATE("", " wiring=palm-tree");
    const Topology fly = parse_topology("dragonfly a=4 p=0 h=2" + wiring);
    CHECK(fly.nodes() == 36);
    const Network network = fly.graph();
    CHECK(testing::is_simple(network));
    for (const int degree : testing::degrees(network)) CHECK(degree == 5);
    const auto links = links_between_groups(network, 4);
    CHECK(links.size() == 36);
    for (const auto& [groups, count] : links) CHECK(count == 1);
    CHECK(fly.distances()->diameter == 3);
}

TEST_CASE("the wirings order the global links of a group differently") {
    // Absolute: ports 0 … 7 of group 0 lead to groups 1 … 8; palm tree: to groups 8 … 1.
    const auto router_to = [](const std::string& spec, int group) {
        const Network network = parse_topology(spec).graph();
        for (const Edge& edge : network.edges) {
            if (edge.u < 4 && edge.v / 4 == group) return edge.u;
        }
        return -1;
    };
    CHECK(router_to("dragonfly a=4 p=0 h=2", 1) == 0);
    CHECK(router_to("dragonfly a=4 p=0 h=2", 8) == 3);
    CHECK(router_to("dragonfly a=4 p=0 h=2 wiring=palm-tree", 1) == 3);
    CHECK(router_to("dragonfly a=4 p=0 h=2 wiring=palm-tree", 8) == 0);
}

TEST_CASE("a dragonfly of fewer groups has as many links between any two as fit") {
    const Topology fly = parse_topology("dragonfly a=4 p=0 h=2 g=5");
    for (const auto& [groups, count] : links_between_groups(fly.graph(), 4)) CHECK(count == 2);
    CHECK(fly.spec() == "dragonfly a=4 p=0 h=2 g=5");
    const Topology thin = parse_topology("dragonfly a=4 p=0 h=2 links=1 g=5 wiring=absolute");
    for (const auto& [groups, count] : links_between_groups(thin.graph(), 4)) CHECK(count == 1);
    CHECK(thin.spec() == "dragonfly a=4 p=0 h=2 g=5 links=1");
    CHECK(thin == parse_topology(thin.spec()));
}

TEST_CASE("sizes of dragonflies agree with the graph") {
    testing::check_sizes(parse_topology(GENERATE(
        "dragonfly a=4 p=2 h=2", "dragonfly a=3 p=1 h=2 wiring=palm-tree", "dragonfly a=4 p=0 h=2 g=3",
        "dragonfly a=1 p=1 h=3", "dragonfly a=4 p=3 h=1 g=1", "dragonfly a=4 p=1 h=2 g=4 links=1",
        "dragonfly-plus groups=5 leaves=2 spines=2 hosts=2", "dragonfly-plus groups=1 leaves=3 spines=2 hosts=1",
        "dragonfly-plus groups=3 leaves=2 spines=3 hosts=4 links=5")));
}

TEST_CASE("upper ends of dragonflies hold") {
    testing::check_cuts(parse_topology(GENERATE(
        "dragonfly a=2 p=0 h=1", "dragonfly a=3 p=0 h=1", "dragonfly a=2 p=0 h=2", "dragonfly a=4 p=0 h=2 g=4",
        "dragonfly a=2 p=2 h=1", "dragonfly a=3 p=0 h=2 g=4 links=2 wiring=palm-tree",
        "dragonfly-plus groups=2 leaves=2 spines=2 hosts=3", "dragonfly-plus groups=3 leaves=2 spines=1 hosts=2",
        "dragonfly-plus groups=4 leaves=1 spines=3 hosts=3 links=2", "dragonfly a=2 p=0 h=3 g=7")));
}

TEST_CASE("spines of a dragonfly plus have equally many leaves and global links") {
    const Topology fly = parse_topology("dragonfly-plus groups=5 leaves=2 spines=2 hosts=3");
    const std::vector<int> degree = testing::degrees(fly.graph());
    REQUIRE(degree.size() == 30 + 10 + 10);
    for (int leaf = 30; leaf < 40; ++leaf) CHECK(degree[leaf] == 5);
    for (int spine = 40; spine < 50; ++spine) CHECK(degree[spine] == 4);
}

TEST_CASE("an impossible dragonfly is refused with the remedy") {
    CHECK_THROWS_WITH(parse_topology("dragonfly a=4 p=0 h=2").with_nodes(48),
                      "'dragonfly a=4 p=0 h=2' cannot be resized to 48 nodes: choose a, p, h and g, of a*g*p hosts");
}

TEST_CASE("as many links leave each block of a dragonfly as it says") {
    for (const char* spec : {"dragonfly a=4 p=2 h=2", "dragonfly a=4 p=2 h=2 g=5 links=1", "dragonfly a=2 p=2 h=4 g=7",
                             "dragonfly a=4 p=0 h=2 g=3", "dragonfly a=3 p=1 h=2 g=1"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const Network network = topology.graph();
        const std::vector<HostBlocks> blocks = topology.blocks().value();
        for (const HostBlocks& block : blocks) {
            // A host's block is where it hangs.
            std::vector<std::int64_t> block_of(static_cast<std::size_t>(network.vertices()), -1);
            const auto group_of = [&block](int host) { return host / block.hosts; };
            for (int host = 0; host < network.hosts; ++host) block_of[static_cast<std::size_t>(host)] = group_of(host);
            if (network.switches > 0) {
                for (const Edge& edge : network.edges) {
                    const auto [low, high] = std::minmax(edge.u, edge.v);
                    if (low < network.hosts) block_of[static_cast<std::size_t>(high)] = group_of(low);
                }
            }
            std::map<std::int64_t, double> leaving;
            for (const Edge& edge : network.edges) {
                const auto from = block_of[static_cast<std::size_t>(edge.u)];
                const auto to = block_of[static_cast<std::size_t>(edge.v)];
                if (from == to) continue;
                leaving[from] += edge.capacity;
                leaving[to] += edge.capacity;
            }
            for (const auto& [number, links] : leaving) CHECK(links == block.links);
        }
    }
}
