#include <catch2/catch.hpp>

#include "tests/topologies/route_checks.hpp"
#include "topologies/flow/hub_flow.hpp"
#include "topologies/topology.hpp"

using namespace narrows;
using narrows::testing::uniform_loads_from;

TEST_CASE("a flow by way of some nodes is a flow, and by way of all at least half of the direct one") {
    for (const char* spec : {"torus 8x8", "mesh 9x4", "leaf-spine leaves=4 hosts=4 spines=2", "hypercube 6"}) {
        INFO(spec);
        const Topology topology = parse_topology(spec);
        const Network network = topology.graph();
        const double t = topology.uniform_flow().upper;
        const LoadsOfSome all = uniform_loads_until(network, Split::by_hop, 1, {});
        CHECK(std::ssize(all.sources) == network.hosts);
        const double hosts = network.hosts, direct = allowed_rate(network, all.loads) / (hosts - 1);
        // Who is a hub needs no way to it; and both ways of a link share what paths lay on them.
        CHECK(hub_flow(network, all) >= 0.999999 * direct / 2 * hosts / (hosts - 1));
        const LoadsOfSome some = uniform_loads_until(network, Split::by_hop, 1, [] { return true; });
        CHECK(some.sources.size() == 8);
        CHECK(some.loads.demand == 8);
        CHECK(hub_flow(network, some) > 0);
        CHECK(hub_flow(network, some) <= t);
    }
}

TEST_CASE("hubs of a star carry all of its traffic") {
    // The hubs' place is the switch: every host's link carries its own 4 units, each way, once for each half.
    const Network star = parse_topology("star 5").graph();
    LoadsOfSome hubs{no_loads(star), {0, 1}};
    for (int hub = 0; hub < 2; ++hub) add_loads(hubs.loads, uniform_loads_from(star, Split::by_hop, hub));
    CHECK(hub_flow(star, hubs) == Approx(0.25));
}
