#include <algorithm>
#include <catch2/catch.hpp>

#include "calibrate/ranks/sanitizer.hpp"
#include "tests/topologies/graph_checks.hpp"
#include "topologies/distance.hpp"

using namespace narrows;

TEST_CASE("a Slim Fly is regular and simple and of diameter two") {
    const int q = GENERATE(3, 4, 5, 7, 8, 9, 11, 13, 16, 19, 25, 27);
    if (sanitized && q > 13) return;
    const Topology fly = parse_topology("slim-fly " + std::to_string(q));
    INFO(fly.spec());
    const Network network = fly.graph();
    CHECK(fly.nodes() == std::int64_t{2} * q * q);
    CHECK(testing::is_simple(network));
    for (const int degree : testing::degrees(network)) REQUIRE(degree == fly.degree());
    CHECK(fly.degree() == (3 * q + 1 - (q + 1) % 4) / 2);
    testing::check_sizes(fly);
    CHECK(fly.distances()->diameter == 2);
}

TEST_CASE("the Slim Fly of five is the Hoffman Singleton graph") {
    const Topology fly = parse_topology("slim-fly 5");
    CHECK(testing::girth(fly.graph()) == 5);
    CHECK(fly.phi().exact());
    CHECK(fly.phi().lower == Approx(0.1).epsilon(1e-15));
    CHECK(fly.uniform_flow().upper == Approx(1.0 / 13).epsilon(1e-14));
    CHECK(fly.phi_value() == fly.uniform_flow().upper);
    CHECK(fly.bisection().upper == 65);
    CHECK(fly.bisection().lower == 63);
    CHECK(fly.alpha().upper == Approx(2.6));
}

TEST_CASE("the sparsest cut of a Slim Fly is proven for every kind of q") {
    for (const int q : {3, 4, 5, 7, 8, 9, 11, 16, 23, 25, 27, 32, 64, 128, 243, 256, 257, 6561}) {
        const Topology fly = parse_topology("slim-fly " + std::to_string(q));
        INFO(q);
        CHECK(fly.phi().exact());
        CHECK(fly.phi().lower == Approx(0.5 / q).epsilon(1e-15));
        CHECK(fly.alpha().exact() == (q % 2 == 0));
    }
}

TEST_CASE("whole groups attain the cuts that a Slim Fly states") {
    const int q = GENERATE(3, 4, 5, 7, 8, 9);
    const Topology fly = parse_topology("slim-fly " + std::to_string(q));
    const auto links_of = [&](int first_groups, int second_groups) {
        const auto inside = [&](int router) {
            const int group = router / q;
            return group < first_groups || (group >= q && group < q + second_groups);
        };
        const Network network = fly.graph();
        return std::ranges::count_if(network.edges, [&](const Edge& edge) { return inside(edge.u) != inside(edge.v); });
    };
    CHECK(fly.phi().upper == Approx(static_cast<double>(links_of(1, 1)) / (2.0 * q * (2 * q * q - 2 * q))));
    CHECK(fly.bisection().upper == static_cast<double>(links_of(q / 2, q - q / 2)));
    CHECK(fly.alpha().upper * q * q == Approx(fly.bisection().upper));
}

TEST_CASE("beyond what is evaluated the sparsest cut of a Slim Fly has no lower end") {
    const Topology fly = parse_topology("slim-fly 512");
    CHECK(fly.phi().lower == 0);
    CHECK(fly.phi().upper == 1.0 / 1024);
}

TEST_CASE("a q without a Slim Fly is refused with those near it") {
    CHECK(parse_topology("slim-fly 181759").links() > 9'000'000'000'000'000);
    CHECK_THROWS_WITH(parse_topology("slim-fly 5").with_nodes(64),
                      "'slim-fly 5' cannot be resized to 64 nodes: choose another q, of 2*q*q routers");
}
