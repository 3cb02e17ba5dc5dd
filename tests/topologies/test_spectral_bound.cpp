#include <catch2/catch.hpp>
#include <cmath>

#include "topologies/cut/spectral_bound.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

TEST_CASE("the spectral bound is just below the second eigenvalue over the hosts") {
    const double ring = (2 - 2 * std::cos(2 * 3.141592653589793 / 16)) / 16;
    const double found = spectral_bound(parse_topology("ring 16").graph()).value();
    CHECK(found <= ring);
    CHECK(found > ring * (1 - 1e-7));
    CHECK(spectral_bound(parse_topology("complete 9").graph()).value() == Approx(1).epsilon(1e-7));
    CHECK(spectral_bound(parse_topology("hypercube 6").graph()).value() == Approx(2.0 / 64).epsilon(1e-7));
}

TEST_CASE("the spectral bound of a Slim Fly is 1/2q") {
    for (const int q : {4, 5, 7}) {
        INFO("q " << q);
        const double bound = spectral_bound(parse_topology("slim-fly " + std::to_string(q)).graph()).value();
        CHECK(bound == Approx(0.5 / q).epsilon(1e-7));
        CHECK(bound <= 0.5 / q);
    }
}

TEST_CASE("switches are eliminated, so that only hosts count") {
    // A star: C(s) = min(s, N−s) ≥ s(N−s)/N.
    CHECK(spectral_bound(parse_topology("star 8").graph()).value() == Approx(1.0 / 8).epsilon(1e-7));
}

TEST_CASE("what is above the least cut is not proven") {
    const Network torus = parse_topology("torus 6x4").graph();
    CHECK(proves_sparsity(torus, 1.0 / 25));
    CHECK_FALSE(proves_sparsity(torus, 1.0 / 17));  // φ is 1/18
}

TEST_CASE("nothing is proven of a disconnected network") {
    Network network{4, 0, {}};
    network.connect(0, 1);
    network.connect(2, 3);
    CHECK_FALSE(spectral_bound(network));
}
