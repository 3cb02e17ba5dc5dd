#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "calibrate/ranks/sanitizer.hpp"
#include "topologies/cut/gray_cuts.hpp"
#include "topologies/cut/least_cuts.hpp"
#include "topologies/infinity.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

/// A connected network of random links, with parallel ones, and capacities that are multiples of `unit`.
Network random_network(int hosts, int switches, int more_links, double unit, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&random](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    Network network{hosts, switches, {}};
    for (int v = 1; v < network.vertices(); ++v) network.connect(v, below(v), unit * (1 + below(4)));
    for (int i = 0; i < more_links; ++i) {
        const int u = below(network.vertices()), v = below(network.vertices());
        if (u != v) network.connect(u, v, unit * (1 + below(4)));
    }
    return network;
}

/// Every division of all vertices.
std::vector<double> by_exhaustion(const Network& network) {
    std::vector<double> least(static_cast<std::size_t>(network.hosts / 2), infinity);
    const std::uint32_t hosts = (std::uint32_t{1} << network.hosts) - 1;
    for (std::uint32_t inside = 0; inside < std::uint32_t{1} << network.vertices(); ++inside) {
        const int size = std::popcount(inside & hosts);
        if (size == 0 || size > network.hosts / 2) continue;
        double capacity = 0;
        for (const auto& [u, v, of_link] : network.edges)
            capacity += (inside >> u & 1) != (inside >> v & 1) ? of_link : 0;
        double& known = least[static_cast<std::size_t>(size - 1)];
        known = std::min(known, capacity);
    }
    return least;
}

std::vector<double> by_sweep(const Network& network, std::size_t memory = std::size_t{1} << 28) {
    SweepLimits limits;
    limits.memory = memory;
    limits.threads = 2;
    return least_cuts(network, plan_sweep(network, limits), limits).value();
}

void check_equal(const std::vector<double>& found, const std::vector<double>& truth) {
    REQUIRE(found.size() == truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) CHECK(found[i] == Approx(truth[i]).epsilon(1e-12));
}

}  // namespace

TEST_CASE("a sweep finds the least cut of every size that exhaustion finds") {
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
        if (sanitized && seed > 2) break;
        INFO("seed " << seed);
        const Network direct = random_network(14, 0, 20, 1, seed);
        check_equal(by_sweep(direct), by_exhaustion(direct));
        const Network switched = random_network(9, 5, 12, 1, seed);
        check_equal(by_sweep(switched), by_exhaustion(switched));
    }
}

TEST_CASE("switches take the side that cuts least, and parts without a path are cut at no cost") {
    // Two switches with three hosts each, joined by two links: the balanced cut is between the switches.
    const Network two{6, 2, {{0, 6, 1}, {1, 6, 1}, {2, 6, 1}, {3, 7, 1}, {4, 7, 1}, {5, 7, 1}, {6, 7, 1}, {6, 7, 1}}};
    CHECK(by_sweep(two) == std::vector<double>{1, 2, 2});
    CHECK(by_sweep({4, 0, {{0, 1, 1}, {2, 3, 1}}}) == std::vector<double>{1, 0});
}

TEST_CASE("a sweep with vertices fixed in all ways finds the same cuts") {
    constexpr std::size_t hardly_any_memory = 4096;
    const Network network = random_network(16, 2, 40, 1, 7);
    SweepLimits limits;
    limits.memory = hardly_any_memory;
    CHECK_FALSE(plan_sweep(network, limits).order.fixed.empty());
    check_equal(by_sweep(network, hardly_any_memory), by_exhaustion(network));
}

TEST_CASE("links between fixed vertices do not overflow the sums that are swept") {
    Network complete{21, 0, {}};
    for (int u = 0; u < 21; ++u) {
        for (int v = u + 1; v < 21; ++v) complete.connect(u, v, 3);
    }
    constexpr std::size_t hardly_any_memory = 1000;
    const std::vector<double> least = by_sweep(complete, hardly_any_memory);
    for (std::size_t size = 1; size <= least.size(); ++size)
        CHECK(least[size - 1] == 3.0 * static_cast<double>(size * (21 - size)));
}

TEST_CASE("capacities of any size and unit are swept") {
    check_equal(by_sweep(random_network(12, 2, 20, 100, 3)), by_exhaustion(random_network(12, 2, 20, 100, 3)));
    check_equal(by_sweep(random_network(12, 2, 20, 0.3, 4)), by_exhaustion(random_network(12, 2, 20, 0.3, 4)));
    Network odd = random_network(12, 0, 20, 1, 5);
    odd.edges[3].capacity = std::sqrt(2.0);
    CHECK_FALSE(capacity_unit(odd));
    check_equal(by_sweep(odd), by_exhaustion(odd));
}

TEST_CASE("small capacities beside large ones are not lost") {
    for (const double large : {1e6, 1e10, 1e17, 1e60}) {
        std::mt19937_64 random(7);
        for (int tried = 0; tried < 20; ++tried) {
            CAPTURE(large, tried);
            Network network = random_network(8, 2, 8, 1, random());
            for (Edge& edge : network.edges) {
                edge.capacity = random() % 4 == 0 ? large : 0.1 + static_cast<double>(random() % 1000) * 0.00137;
            }
            network.edges.front().capacity = large;
            check_equal(by_sweep(network), by_exhaustion(network));
            if (large > 1e6) CHECK(gray_work(network) == infinity);
        }
    }
}

TEST_CASE("the unit of capacities is the greatest of which all are multiples") {
    Network network{3, 0, {}};
    network.connect(0, 1, 0.5);
    network.connect(1, 2, 1.25);
    CHECK(capacity_unit(network).value() == Approx(0.25));
    network.edges[1].capacity = 2;
    CHECK(capacity_unit(network).value() == Approx(0.5));
}

TEST_CASE("Gray code order finds the same cuts as a sweep, with switches and fractions too") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        INFO("seed " << seed);
        SweepLimits limits;
        limits.threads = 2;
        const Network dense = random_network(15, 2, 90, 1, seed);
        check_equal(gray_cuts(dense, limits).value(), by_sweep(dense));
        Network odd = random_network(13, 1, 30, 1, seed);
        odd.edges[0].capacity = std::sqrt(3.0);
        check_equal(gray_cuts(odd, limits).value(), by_sweep(odd));
    }
}

TEST_CASE("a search that is stopped has no result") {
    const Network network = parse_topology("torus 5x5").graph();
    SweepLimits limits;
    limits.stop = [] { return true; };
    CHECK_FALSE(least_cuts(network, plan_sweep(network, limits), limits));
    const Network dense = parse_topology("complete 30").graph();
    CHECK_FALSE(gray_cuts(dense, limits));
}

TEST_CASE("a sweep order takes every vertex once and says its frontier") {
    const Network mesh = parse_topology("mesh 6x4").graph();
    const SweepOrder order = sweep_order(mesh, 20);
    CHECK(order.vertices.size() + order.fixed.size() == 24);
    CHECK(order.widest == 4);  // the vertex separation number of a 6x4 grid
    CHECK(order.fixed.empty());
    const SweepOrder narrow = sweep_order(mesh, 2);
    CHECK(narrow.widest <= 2);
    CHECK_FALSE(narrow.fixed.empty());
}

TEST_CASE("a random cubic network of 64 vertices is swept in full") {
    const std::vector<double> least = by_sweep(parse_topology("random-regular 64 degree=3 seed=1").graph());
    REQUIRE(least.size() == 32);
    CHECK(least[0] == 3);  // one vertex
    CHECK(least[1] == 4);  // two neighbours
    for (std::size_t i = 0; i < least.size(); ++i) {
        CHECK(std::fmod(3.0 * static_cast<double>(i + 1) - least[i], 2) == 0);  // ends inside pair up
    }
}
