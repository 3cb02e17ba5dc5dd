#include <catch2/catch.hpp>
#include <random>

#include "topologies/cut/sparse_spectral_bound.hpp"
#include "topologies/cut/spectral_bound.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

TEST_CASE("the sparse spectral bound is the dense one") {
    struct Case {
        const char* spec;
        double within;  // how far below the eigenvalue the first attempt that is proven starts
    };
    for (const auto& [spec, within] :
         {Case{"ring 16", 2e-5}, Case{"hypercube 6", 2e-7}, Case{"slim-fly 5", 3e-9}, Case{"star 8", 2e-5},
          Case{"fat-tree ports=4 levels=3", 3e-9}, Case{"mesh 9x4", 3e-9}, Case{"dragonfly a=4 p=2 h=2", 3e-9},
          Case{"random-regular 200 degree=5 seed=1", 2e-7}, Case{"kautz degree=2 diameter=5", 3e-9}}) {
        INFO(spec);
        const Network network = parse_topology(spec).graph();
        const auto sparse = sparse_spectral_bound(network);
        REQUIRE(sparse);
        CHECK(sparse->phi == Approx(spectral_bound(network).value()).epsilon(within));
        CHECK(sparse->phi <= spectral_bound(network).value() * (1 + 1e-9));
        CHECK(std::ssize(sparse->order) == network.vertices() - 1);
    }
}

TEST_CASE("the sparse spectral bound holds for links of any capacity") {
    std::mt19937 random(3);
    Network network = parse_topology("jellyfish 80 degree=4 seed=2 hosts=2").graph();
    for (const double scale : {1e-12, 1.0, 1e14}) {
        for (auto& edge : network.edges) edge.capacity = scale * (1 + static_cast<double>(random() % 100));
        CHECK(sparse_spectral_bound(network)->phi == Approx(spectral_bound(network).value()).epsilon(3e-9));
    }
}

TEST_CASE("a large fabric is bounded near its sparsest cut") {
    const Topology tree = parse_topology("fat-tree ports=24 levels=3 taper=2:1");
    const Network network = tree.graph();
    REQUIRE(network.vertices() > 2000);
    const double phi = sparse_spectral_bound(network)->phi;
    CHECK(phi <= tree.phi().upper);
    CHECK(phi > 0.3 * tree.phi().upper);
}

TEST_CASE("nothing is proven beyond the limits or of parts") {
    const Network network = parse_topology("mesh 9x4").graph();
    CHECK_FALSE(sparse_spectral_bound(network, {.work = 10}));
    CHECK_FALSE(sparse_spectral_bound(network, {.stop = [] { return true; }}));
    CHECK_FALSE(sparse_spectral_bound({4, 0, {{0, 1, 1}, {2, 3, 1}}}));
    CHECK_FALSE(sparse_spectral_bound({4, 2, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {4, 5, 1}}}));
}
