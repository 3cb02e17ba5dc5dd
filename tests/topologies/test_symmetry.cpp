#include <catch2/catch.hpp>

#include "topologies/cut/least_cuts.hpp"
#include "topologies/flow/uniform_flow.hpp"
#include "topologies/symmetry/colouring.hpp"
#include "topologies/symmetry/find_automorphisms.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

Network ring_of_six() {
    return parse_topology("ring 6").graph();
}

/// Vertex i linked to i ± each step, by links of that step's capacity.
Network circulant(int nodes, const std::vector<std::pair<int, double>>& steps) {
    Network network{nodes, 0, {}};
    for (const auto& [step, capacity] : steps) {
        for (int v = 0; v < nodes; ++v) network.connect(v, (v + step) % nodes, capacity);
    }
    return network;
}

Orbits found_orbits(const Network& network) {
    return orbits_of(network, find_automorphisms(network)).value();
}

}  // namespace

TEST_CASE("a rotation makes all nodes and links of a ring one orbit") {
    const Automorphism rotation{{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}};
    const Orbits orbits = orbits_of(ring_of_six(), {rotation}).value();
    CHECK(orbits.host_transitive());
    CHECK(orbits.hosts == std::vector<double>{6});
    CHECK(orbits.edge_orbits == 1);
    const Automorphism reflection{{{1, 5}, {5, 1}, {2, 4}, {4, 2}}};
    const Orbits mirrored = orbits_of(ring_of_six(), {reflection}).value();
    CHECK(mirrored.host == std::vector<int>{0, 1, 2, 3});
    CHECK(mirrored.hosts == std::vector<double>{1, 2, 2, 1});
    CHECK(mirrored.edge_orbits == 3);
    CHECK(orbits_of(ring_of_six(), {})->host.size() == 6);
}

TEST_CASE("what is no automorphism gives no orbits") {
    CHECK_FALSE(orbits_of(ring_of_six(), {{{{0, 1}, {1, 0}}}}));          // a link goes where there is none
    CHECK_FALSE(orbits_of(ring_of_six(), {{{{0, 1}, {1, 2}, {2, 1}}}}));  // two to one place
    CHECK_FALSE(orbits_of(ring_of_six(), {{{{0, 3}}}}));                  // one vertex in two places
    CHECK_FALSE(orbits_of(ring_of_six(), {{{{0, 6}, {6, 0}}}}));
    Network uneven = ring_of_six();
    uneven.edges[2].capacity = 2;
    CHECK_FALSE(orbits_of(uneven, {{{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}}}));
    const Network star = parse_topology("star 3").graph();
    CHECK(orbits_of(star, {{{{0, 1}, {1, 0}}}}));
    CHECK_FALSE(orbits_of(star, {{{{0, 3}, {3, 0}}}}));  // a host is no switch
}

TEST_CASE("networks whose nodes are all alike are found to be so") {
    for (const char* spec : {"ring 17", "torus 6x5", "hypercube 5", "twisted-torus 8x4 twist=4", "complete 9",
                             "slim-fly 5", "fat-tree ports=4 levels=3", "fat-tree ports=6 levels=3 taper=2:1",
                             "leaf-spine leaves=4 hosts=4 spines=2", "tofu 2x2x2"}) {
        INFO(spec);
        CHECK(found_orbits(parse_topology(spec).graph()).host_transitive());
    }
    CHECK(found_orbits(circulant(31, {{1, 1}, {5, 2.5}, {12, 1}})).host_transitive());
}

TEST_CASE("networks whose nodes differ keep them apart") {
    CHECK(found_orbits(parse_topology("mesh 5x4").graph()).host.size() == 6);
    CHECK(found_orbits(parse_topology("random-regular 64 degree=5 seed=1").graph()).host.size() == 64);
    CHECK(found_orbits(parse_topology("fat-tree ports=4 levels=3 hosts=15").graph()).host.size() > 1);
    SymmetryLimits none;
    none.work = 0;
    CHECK(find_automorphisms(parse_topology("torus 6x5").graph(), none).empty());
}

TEST_CASE("one host of each orbit sends what all hosts send") {
    for (const char* spec : {"mesh 5x4", "twisted-torus 8x4 twist=4", "fat-tree ports=4 levels=3 taper=3:1",
                             "dragonfly a=4 p=2 h=2", "fat-tree ports=4 levels=3 hosts=13"}) {
        INFO(spec);
        const Network network = parse_topology(spec).graph();
        const Orbits orbits = found_orbits(network);
        REQUIRE(std::ssize(orbits.host) < network.hosts);
        Spread spread;
        spread.weight.resize(network.edges.size());
        for (std::size_t e = 0; e < spread.weight.size(); ++e) spread.weight[e] = 1 + orbits.of_edge[e] % 5;
        const auto all = Spreader(network, 1).send(spread, never_stop);
        const auto few = Spreader(network, 2, &orbits).send(spread, never_stop);
        CHECK(few->distance == Approx(all->distance));
        for (std::size_t e = 0; e < spread.weight.size(); ++e) CHECK(few->load[e] == Approx(all->load[e]));
        UniformFlowGoal goal;
        goal.ratio = 1.02;
        const double alone = uniform_flow(network, goal)->lower;
        goal.orbits = &orbits;
        CHECK(uniform_flow(network, goal)->lower == Approx(alone).epsilon(0.03));
    }
}

TEST_CASE("a network of one kind of links carries what its distances allow, exactly") {
    const Network network = circulant(21, {{1, 1}, {4, 1}, {5, 1}});  // 4 and 16 take each step to another
    const Orbits orbits = found_orbits(network);
    REQUIRE(orbits.host_transitive());
    const auto sent = Spreader(network, 1, &orbits).send({}, never_stop);
    const auto flow = uniform_flow(network, {.orbits = &orbits});
    CHECK(flow->upper == Approx(2.0 * 63 / sent->distance));
    CHECK(flow->lower <= flow->upper);
    CHECK(flow->lower == Approx(flow->upper));
}

TEST_CASE("a node held inside by symmetry finds the same least cuts") {
    SweepLimits limits;
    limits.host_transitive = true;
    const auto found = [&limits](const Network& network, std::size_t memory) {
        limits.memory = memory;
        return least_cuts(network, plan_sweep(network, limits), limits).value();
    };
    const auto plain = [](const Network& network) { return least_cuts(network, plan_sweep(network, {}), {}).value(); };
    for (const char* spec : {"twisted-torus 6x3 twist=2", "slim-fly 3", "complete 9", "hypercube 4", "ring 13"}) {
        INFO(spec);
        const Network network = parse_topology(spec).graph();
        REQUIRE(found_orbits(network).host_transitive());
        CHECK(found(network, 1 << 20) == plain(network));
        CHECK(found(network, 1 << 8) == plain(network));  // more vertices are fixed
    }
    const Network tree = parse_topology("fat-tree ports=4 levels=3").graph();
    CHECK(found(tree, 1 << 20) == plain(tree));
    const Network steps = circulant(17, {{1, 1}, {3, 0.5}, {7, 3}});
    CHECK(found(steps, 1 << 20) == plain(steps));
    CHECK(plan_sweep(steps, limits).order.fixed.front() == 0);
}

TEST_CASE("colours of a long path are refined no further once stopped") {
    constexpr int vertices = 2000;
    Network path{vertices, 0, {}};
    for (int v = 1; v < vertices; ++v) path.connect(v - 1, v, 1);
    Refiner refiner(path, [] { return true; });
    refiner.refine(std::vector<std::uint64_t>(vertices));
    CHECK(refiner.work() < 20 * vertices);  // a thousand rounds would end it
}
