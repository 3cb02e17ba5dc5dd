#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <limits>
#include <string>

#include "tests/topologies/graph_checks.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

Topology fat_tree(const std::string& switches, std::int64_t hosts) {
    return parse_topology("fat-tree " + switches + " hosts=" + std::to_string(hosts));
}

}  // namespace

TEST_CASE("a full fat tree of three levels has the textbook numbers") {
    const Topology tree = parse_topology("fat-tree ports=4 levels=3");
    CHECK(tree.nodes() == 16);
    CHECK(tree.links() == 48);
    CHECK(tree.degree() == 4);
    CHECK(tree.distances()->diameter == 6);
    CHECK(tree.distances()->mean == Approx((1 * 2 + 2 * 4 + 12 * 6) / 15.0));
    CHECK(tree.bisection().lower == 8);
    CHECK(tree.alpha().lower == 1);
    CHECK(tree.phi().lower == Approx(1.0 / 15));
    CHECK(tree.uniform_flow().lower == Approx(1.0 / 15));
    CHECK(tree.shape().empty());
}

TEST_CASE("every level doubles a tree of four ports and adds two links to its longest way") {
    std::int64_t hosts = 8;
    for (int levels = 2; levels <= 30; ++levels, hosts *= 2) {
        const Topology tree = parse_topology("fat-tree ports=4 levels=" + std::to_string(levels));
        CHECK(tree.nodes() == hosts);
        CHECK(tree.links() == hosts * levels);
        CHECK(tree.distances()->diameter == 2 * levels);
        CHECK(tree.bisection().lower == static_cast<double>(hosts) / 2);
    }
}

TEST_CASE("a taper halves the uplinks and the cuts") {
    const Topology tree = parse_topology("fat-tree ports=36 levels=3 taper=2:1");
    CHECK(tree.nodes() == 15552);
    CHECK(tree.bisection().lower == 3888);
    CHECK(tree.alpha().lower == 0.5);
    CHECK(tree.phi().lower == Approx(0.5 / (15552 - 24)));
    CHECK(tree.phi().certificate ==
          "cut of one leaf switch's uplinks: 12 links between 24 and 15528 hosts; the levels above the leaves are "
          "non-blocking, so no cut is sparser");
    CHECK(tree.bisection().certificate ==
          "cut of 324 of 648 leaf switches: 3888 uplinks and 0 hosts' links between 7776 and 7776 hosts; the levels "
          "above "
          "the leaves are non-blocking, so no balanced cut is less");
}

TEST_CASE("cuts of small fat trees agree with maximum flows over every set of hosts") {
    const std::string switches = GENERATE(
        "ports=4 levels=2", "ports=4 levels=3", "ports=4 levels=2 taper=3:1", "ports=4 levels=3 taper=3:1",
        "ports=4 levels=2 taper=1:3", "ports=6 levels=2 taper=2:1", "ports=6 levels=3 taper=2:1",
        "ports=6 levels=2 taper=1:2", "ports=3 levels=2 taper=2:1", "ports=2 levels=3", "ports=5 levels=2 taper=3:2",
        "ports=4 levels=4", "ports=4 levels=5 taper=3:1", "ports=4 levels=4 taper=1:3", "ports=2 levels=6");
    const std::int64_t most = parse_topology("fat-tree " + switches).nodes();
    for (std::int64_t hosts = 1; hosts <= std::min<std::int64_t>(most, 11); ++hosts) {
        testing::check_exact_cuts(fat_tree(switches, hosts));
    }
}

TEST_CASE("cuts of the full fat tree of four ports agree with maximum flows") {
    testing::check_exact_cuts(parse_topology("fat-tree ports=4 levels=3"));
}

TEST_CASE("the closed forms of a fat tree are the least of the cuts along its leaves") {
    struct Leaves {
        const char* switches;
        std::int64_t down, up;
    };
    const Leaves leaf =
        GENERATE(Leaves{"ports=12 levels=3 taper=2:1", 8, 4}, Leaves{"ports=12 levels=2 taper=3:1", 9, 3},
                 Leaves{"ports=12 levels=2 taper=1:2", 4, 8}, Leaves{"ports=12 levels=2", 6, 6},
                 Leaves{"ports=10 levels=2 taper=3:2", 6, 4});
    const std::int64_t most = parse_topology(std::string("fat-tree ") + leaf.switches).nodes();
    for (std::int64_t hosts = 2; hosts <= std::min<std::int64_t>(most, 60); ++hosts) {
        const Topology tree = fat_tree(leaf.switches, hosts);
        INFO(tree.spec());
        const std::int64_t leaves = (hosts + leaf.down - 1) / leaf.down;
        const std::int64_t last = hosts - (leaves - 1) * leaf.down;
        double least_alpha = 1e9, least_phi = 1e9, halving = 1e9;
        for (std::int64_t size = 1; size <= hosts / 2; ++size) {
            std::int64_t cut = size;
            for (std::int64_t in = 0; in <= leaves; ++in) {
                const std::int64_t above = leaf.up * std::min(in, leaves - in);
                if (in < leaves) cut = std::min(cut, std::abs(size - in * leaf.down) + above);
                if (in > 0) cut = std::min(cut, std::abs(size - (in - 1) * leaf.down - last) + above);
            }
            const auto capacity = static_cast<double>(cut);
            least_alpha = std::min(least_alpha, capacity / static_cast<double>(size));
            least_phi = std::min(least_phi, capacity / static_cast<double>(size * (hosts - size)));
            halving = capacity;
        }
        CHECK(tree.alpha().lower == Approx(least_alpha).epsilon(1e-12));
        CHECK(tree.phi_value() == Approx(least_phi).epsilon(1e-12));
        CHECK(tree.bisection().lower == halving);
    }
}

TEST_CASE("sizes and distances of fat trees agree with the graph") {
    const std::string switches =
        GENERATE("ports=4 levels=2", "ports=4 levels=3", "ports=6 levels=3 taper=2:1", "ports=2 levels=3",
                 "ports=4 levels=5 taper=3:1", "ports=2 levels=5", "ports=4 levels=4 taper=1:3",
                 "ports=6 levels=2 taper=1:2", "ports=9 levels=2 taper=2:1");
    const std::int64_t most = parse_topology("fat-tree " + switches).nodes();
    for (std::int64_t hosts = 1; hosts <= most; ++hosts) testing::check_sizes(fat_tree(switches, hosts));
}

TEST_CASE("a fat tree of one host is limited by nothing") {
    const Topology tree = fat_tree("ports=4 levels=2", 1);
    CHECK(tree.phi_value() == std::numeric_limits<double>::infinity());
    CHECK(tree.bisection().upper == 0);
    CHECK(tree.distances()->mean == 0);
}
