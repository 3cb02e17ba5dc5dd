#include <catch2/catch.hpp>

#include "topologies/cut/cut.hpp"
#include "topologies/search/best_cuts.hpp"
#include "topologies/search/partition.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

TEST_CASE("cuts are counted from their sides") {
    const Network mesh = parse_topology("mesh 3x2").graph();
    const Cut cut = cut_of(mesh, {1, 0, 0, 1, 0, 0});
    CHECK(cut.inside == 2);
    CHECK(cut.capacity == 2);
    CHECK(expansion_of(cut.capacity, cut.inside, 6) == 1);
    CHECK(sparsity_of(cut.capacity, cut.inside, 6) == 0.25);
    CHECK_THROWS_AS(cut_of(mesh, {1, 0}), std::logic_error);
}

TEST_CASE("local search halves a torus from a bad start") {
    const Network torus = parse_topology("torus 8x4").graph();
    const CutImprover improver(torus);
    const Cut ball = improver.ball(5, 9);
    CHECK(ball.inside == 9);
    const Cut halves = improver.to_size(ball, 16);
    CHECK(halves.inside == 16);
    CHECK(halves.capacity <= 12);  // 8 is the least
    CHECK(cut_of(torus, halves.side).capacity == halves.capacity);
}

TEST_CASE("partitioners give divisions of the size asked for, the same for the same seed") {
    const Network torus = parse_topology("torus 16x8").graph();
    CHECK(cut_of(torus, metis_division(torus, 0.5, 1)).inside == 64);
    CHECK(metis_division(torus, 0.25, 3) == metis_division(torus, 0.25, 3));
    CHECK(cut_of(torus, metis_division(torus, 0.25, 3)).inside == Approx(32).margin(3));
    CHECK(cut_of(torus, scotch_halves(torus, 1)).capacity == 16);
    CHECK(scotch_halves(torus, 2) == scotch_halves(torus, 2));
}

TEST_CASE("the search finds the best cuts of networks that are known") {
    for (const char* spec : {"torus 16x8x4", "mesh 9x5", "slim-fly 5", "leaf-spine leaves=6 hosts=4 spines=2",
                             "fat-tree ports=8 levels=3 taper=1:1", "hyperx 6x5"}) {
        INFO(spec);
        const Topology topology = parse_topology(spec);
        const Network network = topology.graph();
        const BestCuts cuts = best_cuts(network, {});
        const double hosts = network.hosts;
        CHECK(cuts.bisection.inside == network.hosts / 2);
        CHECK(sparsity_of(cuts.phi.capacity, cuts.phi.inside, hosts) == Approx(topology.phi().upper));
        if (topology.alpha().exact()) {
            CHECK(expansion_of(cuts.alpha.capacity, cuts.alpha.inside, hosts) == Approx(topology.alpha().upper));
        }
        if (topology.bisection().exact()) CHECK(cuts.bisection.capacity == topology.bisection().upper);
    }
}

TEST_CASE("without time for a division there is a first cut all the same") {
    const Network torus = parse_topology("torus 16x16x16").graph();
    CutEffort effort;
    effort.rounds = 2;
    int asked = 0;
    effort.left = [&asked] {
        ++asked;
        return 0.0;
    };
    const BestCuts found = best_cuts(torus, effort);
    CHECK(asked == 3);  // for Scotch, and for METIS in each round
    CHECK(found.bisection.inside == 2048);
    CHECK(found.bisection.capacity >= 512);
}
