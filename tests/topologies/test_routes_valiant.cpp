#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

#include "tests/topologies/route_checks.hpp"
#include "topologies/input_error.hpp"
#include "topologies/placement.hpp"
#include "topologies/routes/valiant.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

/// Both halves of every message, for every router that it may go by.
std::vector<Demand> halves(const Network& network, const Traffic& traffic) {
    const int first = network.switches == 0 ? 0 : network.hosts;
    const int end = network.vertices();
    std::vector<Demand> demands;
    for (const auto& [source, target, amount] : traffic.demands) {
        for (int router = first; router < end; ++router) {
            const double share = amount / (end - first);
            if (router != source) demands.push_back({source, router, share});
            if (router != target) demands.push_back({router, target, share});
        }
    }
    return demands;
}

}  // namespace

TEST_CASE("Valiant's routing is two shortest paths by every router") {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const Network network = random_network(seed, 7, seed % 2 == 0 ? 3 : 0, 6);
        const Traffic traffic = random_traffic(seed, 7, 12);
        const LinkLoads loads = *valiant_loads(network, traffic, Split::by_paths);
        LinkLoads expected = enumerated_loads(network, halves(network, traffic));
        expected.demand = traffic.total();
        check_equal(loads, expected);
        check_conserved(network, *valiant_loads(network, traffic, Split::by_hop), traffic);
    }
}

TEST_CASE("Valiant's routing makes every permutation of a ring as good as k/4") {
    for (const int k : {8, 10}) {
        const Network ring = parse_topology("torus " + std::to_string(k)).graph();
        for (const Traffic& traffic : {tornado_traffic({k}), uniform_traffic(k), bit_complement_traffic(k)}) {
            const LinkLoads loads = *valiant_loads(ring, traffic, Split::by_hop);
            for (const double load : loads.forward) CHECK(load == Approx(k / 4.0));
            for (const double load : loads.backward) CHECK(load == Approx(k / 4.0));
        }
    }
}

TEST_CASE("Valiant's routing of a job goes by the routers of the whole network") {
    Network rails = unlinked(12, 6, 24);  // every host on two switches, so that all may forward
    for (int host = 0; host < 12; ++host) {
        rails.connect(host, 12 + host / 4);
        rails.connect(host, 15 + host % 3);
    }
    const std::vector<int> hosts{0, 1, 2, 5, 9};
    for (const Network& whole : {parse_topology("ring 11").graph(), parse_topology("torus 4x4").graph(), rails}) {
        Traffic of_job{5, 0, {}}, of_whole{whole.hosts, 0, {}};
        for (int from = 0; from < 5; ++from) {
            const int to = (from + 2) % 5;
            of_job.demands.push_back({from, to, 1.0 + from});
            of_whole.demands.push_back({hosts[from], hosts[to], 1.0 + from});
        }
        const Network part = on_part(whole, hosts);
        REQUIRE(part.edges.size() == whole.edges.size());
        CAPTURE(whole.hosts);
        check_equal(*valiant_loads(part, of_job, Split::by_hop), *valiant_loads(whole, of_whole, Split::by_hop));
    }
}

TEST_CASE("Valiant's routing does not choose switches that no host reaches") {
    const Network used{2, 1, {{0, 2, 1}, {1, 2, 1}}};
    const Network with_idle{2, 2, used.edges};
    CHECK(valiant_loads(with_idle, uniform_traffic(2), Split::by_hop)->forward ==
          valiant_loads(used, uniform_traffic(2), Split::by_hop)->forward);
    Network ring = parse_topology("torus 4").graph();
    const auto loads = valiant_loads(ring, uniform_traffic(4), Split::by_hop);
    ring.switches = 1;
    CHECK(valiant_loads(ring, uniform_traffic(4), Split::by_hop)->forward == loads->forward);
}

TEST_CASE("Valiant's routing can be stopped, and needs every router in reach") {
    const Network parts{2, 2, {{0, 2, 1}, {1, 3, 1}}};
    CHECK_THROWS_WITH(valiant_loads(parts, uniform_traffic(2), Split::by_hop),
                      Catch::Contains("cannot reach every router"));
    const Network ring = parse_topology("torus 4").graph();
    CHECK_FALSE(valiant_loads(ring, uniform_traffic(4), Split::by_hop, [] { return true; }));
    CHECK_THROWS_AS(valiant_loads(ring, uniform_traffic(5), Split::by_hop), std::logic_error);
}
