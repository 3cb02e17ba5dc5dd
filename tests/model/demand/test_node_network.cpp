#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <random>

#include "model/demand/node_network.hpp"
#include "topologies/adjacency.hpp"
#include "topologies/distance.hpp"
#include "topologies/placement.hpp"
#include "topologies/routes/dimension_order.hpp"
#include "topologies/routes/up_down.hpp"

namespace narrows {
namespace {

using Messages = std::vector<std::pair<int, int>>;

int searched_distance(const Network& network, int from, int to) {
    const Adjacency arcs(network);
    std::vector<int> distance(network.vertices(), -1);
    std::vector<int> reached = {from};
    distance[from] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next) {
        for (int arc = arcs.first[reached[next]]; arc < arcs.first[reached[next] + 1]; ++arc) {
            if (distance[arcs.target[arc]] >= 0) continue;
            distance[arcs.target[arc]] = distance[reached[next]] + 1;
            reached.push_back(arcs.target[arc]);
        }
    }
    return distance[to];
}

Traffic traffic_of(const Messages& messages, int nodes) {
    Traffic traffic{nodes, 0, {}};
    for (const auto& [from, to] : messages) {
        if (from != to) traffic.demands.push_back({from, to, 1});
    }
    return traffic;
}

Messages partners(int nodes, int distance) {
    Messages messages;
    for (int node = 0; node < nodes; ++node) {
        if ((node ^ distance) < nodes) messages.emplace_back(node, node ^ distance);
    }
    return messages;
}

}  // namespace

TEST_CASE("by Valiant's routing each message takes twice the mean way") {
    const Routing valiant = parse_routing("valiant");
    CHECK(NodeNetwork(parse_topology("torus 8x8"), nullptr, valiant).links_between(0, 1) == 8);   // rings of mean 2
    CHECK(NodeNetwork(parse_topology("slim-fly 5"), nullptr, valiant).links_between(0, 7) == 4);  // 2 (7 + 2 * 42) / 50
    CHECK(NodeNetwork(parse_topology("torus 8x8"), nullptr, valiant).links_between(3, 3) == 0);
    // Up to a switch and down from one, and between by any that hosts hang on.
    const Topology dragonfly = parse_topology("dragonfly a=3 p=2 h=1");
    const Network graph = dragonfly.graph();
    const auto graph_alone = std::make_shared<const BoundedNetwork>(BoundedNetwork{graph, {}, {}});
    double links = 0;  // from the first host's switch to all hosts', which are alike on each
    for (int host = 0; host < graph.hosts; ++host) {
        links += host < 2 ? 0 : searched_distance(graph, 0, host) - 2;
    }
    const int expected = static_cast<int>(std::lround(2 + 2 * links / graph.hosts));
    CHECK(NodeNetwork(dragonfly, nullptr, valiant).links_between(0, 3) == expected);
    CHECK(NodeNetwork(dragonfly, graph_alone, valiant).links_between(0, 3) == expected);
}

TEST_CASE("a detour of a job's messages goes by the routers of the whole network") {
    const Topology ring = parse_topology("ring 41");
    const auto part = std::make_shared<const BoundedNetwork>(BoundedNetwork{on_part(ring.graph(), {0, 1, 2}), {}, {}});
    const Routing valiant = parse_routing("valiant");
    CHECK(NodeNetwork(parse_topology("ring 3"), part, valiant).detour() ==
          NodeNetwork(ring, nullptr, valiant).detour());
}

TEST_CASE("the mean way of a network too large to search from each node is that from some") {
    const Topology large = parse_topology("jellyfish 600 degree=6 seed=1 hosts=8");
    CHECK_FALSE(large.distances());
    const double mean = host_distances(large.graph())->mean, nodes = static_cast<double>(large.nodes());
    const auto links = static_cast<int>(std::lround(2 + 2 * (mean - 2) * (nodes - 1) / nodes));
    CHECK(NodeNetwork(large, nullptr, parse_routing("valiant")).detour() == links);
}

TEST_CASE("links between nodes are those of a search") {
    std::mt19937_64 random(3);
    for (const char* spec :
         {"torus 5x4x2", "mesh 4x3", "hypercube 4", "fat-tree ports=4 levels=3 taper=1:1",
          "leaf-spine leaves=3 hosts=4 spines=2", "star 5", "dragonfly a=3 p=2 h=1", "slim-fly 5", "hyperx 3x3 hosts=2",
          "jellyfish 150 degree=3 seed=4", "fat-tree ports=8 levels=3 taper=3:1 hosts=45"}) {
        const Topology topology = parse_topology(spec);
        const Network graph = topology.graph();
        const NodeNetwork network(topology, nullptr);
        for (int trial = 0; trial < 40; ++trial) {
            const auto a = static_cast<int>(random() % static_cast<unsigned>(graph.hosts));
            const auto b = static_cast<int>(random() % static_cast<unsigned>(graph.hosts));
            CAPTURE(spec, a, b);
            CHECK(network.links_between(a, b) == searched_distance(graph, a, b));
        }
    }
}

TEST_CASE("messages between the halves of routers with hosts share the links between them") {
    for (const char* spec : {"ring 16 hosts=4", "torus 4x4x2 hosts=2", "mesh 8 hosts=3", "hyperx 4x4 hosts=8"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const auto nodes = static_cast<int>(topology.nodes());
        const NodeNetwork network(topology, nullptr, std::nullopt);
        for (const HostHalves& half : topology.halves()) {
            Messages across;
            for (int node = 0; node < nodes; ++node) {
                const int other = static_cast<int>((node + half.stride * (half.size / 2)) % nodes);
                if (half.side(node) != half.side(other)) across.emplace_back(node, other);
            }
            double leaving = 0;
            for (const auto& [from, to] : across) leaving += half.side(from) == 0 ? 1 : 0;
            CHECK(network.loads(across).shared >= leaving / half.links * (1 - 1e-12));
        }
        const double all = nodes * (nodes / 2.0) / 2;
        CHECK(network.mean_of_rotations(nodes, 1).shared * (nodes - 1) >=
              all / topology.bisection().upper * (1 - 1e-12));
    }
}

TEST_CASE("no messages load links less than all that they walk, over all links") {
    const Topology topology = parse_topology("slim-fly 5");
    const NodeNetwork network(topology, nullptr, std::nullopt);
    Messages all;
    double walked = 0;
    for (int from = 0; from < 50; ++from) {
        for (int to = 0; to < 50; ++to) {
            if (from != to) all.emplace_back(from, to);
            walked += network.links_between(from, to);
        }
    }
    const double least = walked / (2.0 * static_cast<double>(topology.links()));
    CHECK(network.loads(all).shared >= least * (1 - 1e-12));
    CHECK(network.mean_of_rotations(50, 1, 49).shared >= least * (1 - 1e-12));
}

TEST_CASE("messages of all nodes at once load a tree as its routes do") {
    for (const char* spec : {"fat-tree ports=6 levels=2 taper=2:1 hosts=14", "fat-tree ports=4 levels=3 taper=1:1",
                             "fat-tree ports=8 levels=3 taper=3:1 hosts=45", "leaf-spine leaves=5 hosts=4 spines=2"}) {
        const Topology topology = parse_topology(spec);
        const Network graph = topology.graph();
        for (int distance = 1; distance < graph.hosts; distance *= 2) {
            CAPTURE(spec, distance);
            const Messages messages = partners(graph.hosts, distance);
            const PairLoads loads = NodeNetwork(topology, nullptr).loads(messages);
            const LinkLoads routed = *up_down_loads(graph, traffic_of(messages, graph.hosts));
            CHECK(std::max(loads.host, loads.shared) == Approx(fullest_share(graph, routed)));
        }
    }
}

TEST_CASE("partners of recursive doubling on a torus share links as dimension order routing has it") {
    const Topology topology = parse_topology("torus 8x4");
    const Network graph = topology.graph();
    for (int distance = 1; distance < 32; distance *= 2) {
        CAPTURE(distance);
        const Messages messages = partners(32, distance);
        const PairLoads loads = NodeNetwork(topology, nullptr).loads(messages);
        const LinkLoads routed = dimension_order_loads(graph, topology.shape(), {true, true}, traffic_of(messages, 32));
        CHECK(loads.shared == Approx(fullest_share(graph, routed)));
    }
}

TEST_CASE("1024 nodes on leaves of 24 with 12 uplinks: in six of ten rounds 24 messages share 12 links") {
    const Topology topology = parse_topology("fat-tree ports=36 levels=3 taper=2:1 hosts=1024");
    const NodeNetwork network(topology, nullptr);
    int shared = 0;
    for (int distance = 1; distance < 1024; distance *= 2) {
        shared += network.loads(partners(1024, distance)).shared == 2 ? 1 : 0;
    }
    CHECK(shared == 6);
}

}  // namespace narrows
