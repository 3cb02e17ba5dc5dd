#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

#include "topologies/cut/exhaustive.hpp"

using namespace narrows;

namespace {

Network complete(int hosts) {
    Network network{hosts, 0, {}};
    for (int u = 0; u < hosts; ++u) {
        for (int v = 0; v < u; ++v) network.connect(u, v);
    }
    return network;
}

Network petersen() {
    Network network{10, 0, {}};
    for (int i = 0; i < 5; ++i) {
        network.connect(i, (i + 1) % 5);
        network.connect(i, i + 5);
        network.connect(i + 5, (i + 2) % 5 + 5);
    }
    return network;
}

}  // namespace

TEST_CASE("a complete graph cuts s times N minus s links") {
    const CutProfile cuts = exhaustive_cuts(complete(7));
    REQUIRE(cuts.by_size.size() == 3);
    for (int size = 1; size <= 3; ++size) {
        CHECK(cuts.by_size[size - 1].capacity == size * (7 - size));
        CHECK(cuts.by_size[size - 1].hosts.size() == static_cast<std::size_t>(size));
    }
    CHECK(bisection(cuts).lower == 12);
    CHECK(alpha(cuts).lower == 4);
    CHECK(phi(cuts).lower == 1);
}

TEST_CASE("the Petersen graph is cut into two pentagons") {
    const CutProfile cuts = exhaustive_cuts(petersen());
    CHECK(bisection(cuts).lower == 5);
    CHECK(alpha(cuts).lower == 1);
    CHECK(phi(cuts).lower == 0.2);
    CHECK(bisection(cuts).exact());
    CHECK(bisection(cuts).method == "exhaustive search");
}

TEST_CASE("the certificate names the hosts and the number of cuts tried") {
    const CutProfile cuts = exhaustive_cuts({4, 0, {{0, 1, 2.5}, {1, 2, 0.5}, {2, 3, 2.5}}});
    CHECK(bisection(cuts).upper == 0.5);
    CHECK(bisection(cuts).certificate ==
          "hosts {0, 1} are parted from the other 2 by links of capacity 0.5, the least of all 7 cuts");
}

TEST_CASE("switches take the side that cuts least") {
    // Two switches with three hosts each, joined by two links: the balanced cut is between the switches.
    const Network network{
        6, 2, {{0, 6, 1}, {1, 6, 1}, {2, 6, 1}, {3, 7, 1}, {4, 7, 1}, {5, 7, 1}, {6, 7, 1}, {6, 7, 1}}};
    const CutProfile cuts = exhaustive_cuts(network);
    CHECK(cuts.by_size[0].capacity == 1);
    CHECK(cuts.by_size[1].capacity == 2);
    CHECK(cuts.by_size[2].capacity == 2);
    CHECK(cuts.by_size[2].hosts == std::vector<int>{0, 1, 2});
}

TEST_CASE("a switch that is used as a plain link changes no cut") {
    const CutProfile direct = exhaustive_cuts(petersen());
    Network through = petersen();
    through.switches = 1;
    through.edges[0] = {0, 10, 1};
    through.connect(10, 1);
    const CutProfile routed = exhaustive_cuts(through);
    for (std::size_t i = 0; i < direct.by_size.size(); ++i) {
        CHECK(routed.by_size[i].capacity == direct.by_size[i].capacity);
    }
}

TEST_CASE("parts without a path are cut at no cost") {
    const CutProfile cuts = exhaustive_cuts({4, 0, {{0, 1, 1}, {2, 3, 1}}});
    CHECK(bisection(cuts).lower == 0);
    CHECK(alpha(cuts).lower == 0);
}

TEST_CASE("a single host has nothing to cut") {
    const CutProfile cuts = exhaustive_cuts({1, 0, {}});
    CHECK(bisection(cuts).upper == 0);
    CHECK(alpha(cuts).lower == std::numeric_limits<double>::infinity());
    CHECK(phi(cuts).lower == std::numeric_limits<double>::infinity());
}

TEST_CASE("an exhaustive search beyond its limits is refused") {
    CHECK_THROWS_AS(exhaustive_cuts(complete(29)), std::logic_error);
    Network switched = complete(21);
    switched.switches = 1;
    CHECK_THROWS_AS(exhaustive_cuts(switched), std::logic_error);
}
