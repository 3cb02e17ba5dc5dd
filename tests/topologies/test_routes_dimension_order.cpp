#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/topologies/route_checks.hpp"
#include "topologies/input_error.hpp"
#include "topologies/routes/dimension_order.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

struct GridCase {
    Topology topology;
    Network network;
    std::vector<int> shape;
    std::vector<bool> wraps;

    explicit GridCase(const std::string& spec)
        : topology(parse_topology(spec)),
          network(topology.graph()),
          shape(topology.shape()),
          wraps(shape.size(), topology.family() == "torus") {}

    LinkLoads loads(const Traffic& traffic) const { return dimension_order_loads(network, shape, wraps, traffic); }
};

double largest(const std::vector<double>& loads) {
    return *std::ranges::max_element(loads);
}

}  // namespace

TEST_CASE("uniform dimension-order loads of a torus are k/8 · N/(N−1), less for odd k") {
    const GridCase torus("torus 8x5x4");
    const LinkLoads loads = torus.loads(uniform_traffic(160));
    const double scale = 160.0 / 159;
    for (std::size_t i = 0; i < torus.network.edges.size(); ++i) {
        const int dimension = static_cast<int>(i / 160);
        const double expected = dimension == 0 ? 1.0 : (dimension == 1 ? 24.0 / 40 : 0.5);
        CHECK(loads.forward[i] == Approx(expected * scale));
        CHECK(loads.backward[i] == Approx(expected * scale));
    }
    CHECK(loads.demand == Approx(160));
}

TEST_CASE("uniform dimension-order loads by formula are those of all pairs walked one by one") {
    for (const auto* spec :
         {"torus 7", "torus 6x3", "torus 2x4x5", "mesh 5", "mesh 4x3x2", "hypercube 4", "torus 1x4"}) {
        const GridCase grid(spec);
        const int hosts = grid.network.hosts;
        const LinkLoads loads = grid.loads(uniform_traffic(hosts));
        check_equal(loads, grid.loads(listed_uniform(hosts)));
        check_conserved(grid.network, loads, uniform_traffic(hosts));
        CHECK(mean_hops(loads) == Approx(grid.topology.distances()->mean));
        CHECK(allowed_rate(grid.network, loads) / (hosts - 1) == Approx(grid.topology.phi_value()));
    }
}

TEST_CASE("tornado loads one way of a ring with half its size, less one, and leaves the other idle") {
    for (int k = 3; k <= 11; ++k) {
        const GridCase ring("torus " + std::to_string(k));
        const LinkLoads loads = ring.loads(tornado_traffic({k}));
        const double expected = (k + 1) / 2 - 1;  // NOLINT(bugprone-integer-division): ⌈k/2⌉ − 1
        for (int i = 0; i < k; ++i) {
            CHECK(std::max(loads.forward[i], loads.backward[i]) == expected);
            CHECK(std::min(loads.forward[i], loads.backward[i]) == 0);
        }
    }
}

TEST_CASE("bit-complement loads every link of a hypercube with one") {
    const GridCase cube("hypercube 5");
    const LinkLoads loads = cube.loads(bit_complement_traffic(32));
    for (const double load : loads.forward) CHECK(load == 1);
    for (const double load : loads.backward) CHECK(load == 1);
    CHECK(mean_hops(loads) == 5);
}

TEST_CASE("transpose on a mesh of k by k loads its fullest link with k−1") {
    for (int k = 2; k <= 6; ++k) {
        const GridCase mesh("mesh " + std::to_string(k) + "x" + std::to_string(k));
        const Traffic traffic = transpose_traffic(k * k);
        const LinkLoads loads = mesh.loads(traffic);
        CHECK(std::max(largest(loads.forward), largest(loads.backward)) == k - 1);
        check_conserved(mesh.network, loads, traffic);
    }
}

TEST_CASE("half way round an even ring traffic goes both ways alike") {
    const GridCase ring("torus 6");
    const LinkLoads loads = ring.loads({6, 0, {{1, 4, 3}}});
    for (int i = 0; i < 6; ++i) CHECK(std::max(loads.forward[i], loads.backward[i]) == 1.5);
    CHECK(loads.demand == 3);
    CHECK(mean_hops(loads) == 3);
}

TEST_CASE("the first dimension is travelled first") {
    const GridCase mesh("mesh 2x2");
    const LinkLoads loads = mesh.loads({4, 0, {{0, 3, 1}}});
    const double total = std::accumulate(loads.forward.begin(), loads.forward.end(), 0.0);
    CHECK(total == 2);
    for (const auto& link : hottest_links(mesh.network, loads, 2)) {
        CHECK(((link.from == 0 && link.to == 1) || (link.from == 1 && link.to == 3)));
    }
}

TEST_CASE("doubled links of a grid share, missing ones are an error when needed") {
    Network path{3, 0, {{0, 1, 1}, {2, 1, 1}, {1, 2, 4}}};
    const LinkLoads loads = dimension_order_loads(path, {3}, {false}, {3, 0, {{0, 2, 1}}});
    CHECK(loads.forward == std::vector<double>{1, 0, 0.5});
    CHECK(loads.backward == std::vector<double>{0, 0.5, 0});

    Network broken{3, 0, {{0, 1, 1}, {1, 2, 1}}};
    CHECK_THROWS_WITH(dimension_order_loads(broken, {3}, {true}, uniform_traffic(3)),
                      Catch::Contains("in dimension 1 that is missing"));
    CHECK_NOTHROW(dimension_order_loads(broken, {3}, {true}, {3, 0, {{0, 1, 1}}}));
    CHECK_THROWS_AS(dimension_order_loads({3, 0, {{0, 2, 1}}}, {3}, {false}, uniform_traffic(3)), std::logic_error);
    CHECK_THROWS_AS(dimension_order_loads(broken, {4}, {false}, uniform_traffic(3)), std::logic_error);
}
