#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "topologies/adjacency.hpp"
#include "topologies/distance.hpp"
#include "topologies/routes/host_groups.hpp"
#include "topologies/routes/host_names.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

TEST_CASE("the hottest links are the fullest by their capacity") {
    const Network network{3, 0, {{0, 1, 1}, {1, 2, 4}, {2, 0, 2}}};
    const LinkLoads loads{{1, 8, 0}, {2, 4, 4}, 7};
    const auto hottest = hottest_links(network, loads, 3);
    REQUIRE(hottest.size() == 3);
    CHECK((hottest[0].edge == 0 && hottest[0].from == 1 && hottest[0].to == 0 && hottest[0].share == 2));
    CHECK((hottest[1].edge == 1 && hottest[1].from == 1 && hottest[1].to == 2 && hottest[1].load == 8));
    CHECK((hottest[2].edge == 2 && hottest[2].from == 0 && hottest[2].to == 2));
    CHECK(hottest_links(network, loads, 100).size() == 6);
    CHECK(hottest_links(network, loads, -1).empty());
    CHECK(fullest_share(network, loads) == 2);
    CHECK(allowed_rate(network, loads) == 0.5);
    CHECK(mean_load(loads) == Approx(19.0 / 6));
    CHECK(mean_hops(loads) == Approx(19.0 / 7));
}

TEST_CASE("without traffic nothing limits, and nothing is NaN") {
    const Network network{1, 0, {}};
    const LinkLoads loads = no_loads(network);
    CHECK(std::isinf(allowed_rate(network, loads)));
    CHECK(fullest_share(network, loads) == 0);
    CHECK(mean_load(loads) == 0);
    CHECK(mean_hops(loads) == 0);
    CHECK_THROWS_AS(fullest_share({2, 0, {{0, 1, 1}}}, loads), std::logic_error);
}

TEST_CASE("vertices are called by name, by place on a grid or by number") {
    const Network grid = parse_topology("torus 4x3x2").graph();
    CHECK(vertex_label(grid, 3 + 4 * 0 + 12 * 1, {}, {4, 3, 2}) == "(3,0,1)");
    CHECK(vertex_label(grid, 5, {}, {}) == "host 5");
    const Network tree{2, 1, {{0, 2, 1}, {1, 2, 1}}};
    CHECK(vertex_label(tree, 2, {}, {}) == "switch 0");
    CHECK(vertex_label(tree, 2, {"a", "", "leaf"}, {}) == "leaf");
    CHECK(vertex_label(tree, 1, {"a", "", "leaf"}, {}) == "host 1");
    CHECK(vertex_label(tree, 1, {}, {2}) == "host 1");
    CHECK_THROWS_AS(vertex_label(tree, 3, {}, {}), std::logic_error);
}

TEST_CASE("hosts are found by name before number") {
    const HostFinder hosts(3, {"node-a", "2", "node-c"});
    CHECK(hosts.find("2") == 1);
    CHECK(hosts.find("1") == 1);
    CHECK(hosts.find("node-c") == 2);
    for (const auto* word : {"3", "-0", "1x", "", "node"}) CHECK_FALSE(hosts.find(word));
    CHECK(hosts.complaint("node-b") == "there is no host 'node-b', did you mean 'node-a'?");
    CHECK(HostFinder(8, {}).complaint("9") == "there is no host '9': they are 0 to 7");
}

TEST_CASE("groups of hosts hold each host once, near each other: those of a tree its leaves") {
    const Network torus = parse_topology("torus 8x8x8").graph();
    const Adjacency arcs(torus);
    const auto groups = host_groups(arcs, 512, 8);
    CHECK(groups.size() == 64);
    std::set<int> all;
    double links = 0;  // from the first of each group to the others
    for (const auto& group : groups) {
        CHECK(group.size() == 8);
        all.insert(group.begin(), group.end());
        const std::vector<int> far = links_from(arcs, {group.front()});
        for (const int host : group) links += far[host];
    }
    CHECK(all.size() == 512);
    CHECK(links / (512 - 64) < 0.75 * host_distances(torus)->mean);

    const Network tree = parse_topology("fat-tree ports=8 levels=3").graph();
    for (const auto& group : host_groups(Adjacency(tree), tree.hosts, 4)) {
        for (const int host : group) CHECK(host / 4 == group.front() / 4);
    }
}
