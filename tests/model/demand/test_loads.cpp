#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "model/demand/loads.hpp"
#include "topologies/boundaries.hpp"
#include "topologies/routes/dimension_order.hpp"
#include "topologies/routes/link_loads.hpp"
#include "topologies/routes/routing.hpp"
#include "topologies/routes/shortest.hpp"
#include "topologies/routes/up_down.hpp"

// The loads that bounds are made of, against routes: every pair of ranks is enumerated, its messages are sent over the
// links of the written-out network, and the fullest link is looked at.
namespace narrows {
namespace {

using Random = std::mt19937_64;

int below(Random& random, int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
}

// Messages between nodes of one operation of the job, pair of ranks by pair of ranks.
Traffic traffic_of(const LineTraffic& lines, const Placement& placement) {
    const auto nodes = static_cast<int>(placement.nodes);
    const auto ranks = static_cast<double>(placement.ranks());
    std::vector<double> matrix(static_cast<std::size_t>(nodes) * nodes, 0.0);
    std::int64_t stride = 1;
    for (const std::int64_t size : lines.shape) {
        for (std::int64_t rank = 0; rank < lines.ranks(); ++rank) {
            const std::int64_t line = rank - rank / stride % size * stride;
            for (std::int64_t place = 0; place < size; ++place) {
                const int from = placement.node(rank), to = placement.node(line + place * stride);
                if (from != to)
                    matrix[static_cast<std::size_t>(from) * nodes + to] += 1 / static_cast<double>(size) / ranks;
            }
        }
        stride *= size;
    }
    Traffic traffic{nodes, 0, {}};
    for (int from = 0; from < nodes; ++from) {
        for (int to = 0; to < nodes; ++to) {
            const double amount = matrix[static_cast<std::size_t>(from) * nodes + to];
            if (amount > 0) traffic.demands.push_back({from, to, amount});
        }
    }
    return traffic;
}

double fullest_bound(const Loads& loads) {
    return std::max({loads.injection, loads.uplinks, loads.slabs});
}

struct Job {
    LineTraffic lines;
    Placement placement;
};

// Uniform or along the dimensions of a random grid; placed in order, round-robin or at random.
Job random_job(Random& random, const Topology& network) {
    Job job;
    Placement& placement = job.placement;
    placement.network = network;
    placement.nodes = network.nodes();
    placement.ranks_per_node = 1 + below(random, 4);
    std::int64_t rest = placement.ranks();
    for (const int factor : {2, 3, 2, 5}) {
        if (rest % factor != 0 || below(random, 3) == 0) continue;
        placement.shape.push_back(factor);
        rest /= factor;
    }
    placement.shape.push_back(static_cast<int>(rest));
    std::shuffle(placement.shape.begin(), placement.shape.end(), random);
    const char* rules[] = {"consecutive", "round-robin", "random:5"};
    placement.node_of_rank = placed_ranks(rules[below(random, 3)], placement.nodes, placement.ranks_per_node);
    job.lines = {{placement.ranks()}};
    if (below(random, 2) == 0) job.lines.shape.assign(placement.shape.begin(), placement.shape.end());
    return job;
}

}  // namespace

TEST_CASE("loads: on trees of switches the fullest link of all routes, 48 jobs drawn at random") {
    Random random(18);
    const char* trees[] = {"fat-tree ports=6 levels=2 taper=2:1 hosts=14",   "fat-tree ports=4 levels=3 taper=1:1",
                           "fat-tree ports=8 levels=3 taper=3:1 hosts=45",   "leaf-spine leaves=5 hosts=4 spines=2",
                           "cu-fat-tree units=3 nodes=8 uplinks=4 spines=2", "star 9"};
    for (int trial = 0; trial < 48; ++trial) {
        const Topology network = parse_topology(trees[trial % 6]);
        const Job job = random_job(random, network);
        CAPTURE(trial, network.spec(), job.placement.ranks_per_node, job.lines.shape,
                job.placement.node_of_rank.size());
        const Network graph = network.graph();
        const LinkLoads routed = *up_down_loads(graph, traffic_of(job.lines, job.placement));
        const Loads loads = loads_of(job.lines, job.placement);
        CHECK(fullest_bound(loads) == Approx(fullest_share(graph, routed)).margin(1e-9));
        CHECK(loads.leaving == Approx(routed.demand).margin(1e-9));
        // A network that is no family's has the same groups.
        Placement written = job.placement;
        written.graph = std::make_shared<const BoundedNetwork>(BoundedNetwork{graph, boundaries(graph), {}});
        CHECK(fullest_bound(loads_of(job.lines, written)) == Approx(fullest_bound(loads)).margin(1e-9));
    }
}

TEST_CASE("loads: elsewhere no more than the fullest link of any routes, 60 jobs drawn at random") {
    Random random(60);
    const char* networks[] = {"torus 5x4",
                              "torus 6x2",
                              "mesh 4x3x2",
                              "hypercube 4",
                              "dragonfly a=3 p=2 h=1",
                              "hyperx 3x3 hosts=2",
                              "ring 9",
                              "dragonfly a=2 p=2 h=2 g=3",
                              "slim-fly 5",
                              "dragonfly a=4 p=1 h=1 g=4"};
    for (int trial = 0; trial < 60; ++trial) {
        const Topology network = parse_topology(networks[trial % 10]);
        const Job job = random_job(random, network);
        CAPTURE(trial, network.spec(), job.placement.ranks_per_node, job.lines.shape);
        const Network graph = network.graph();
        const LinkLoads routed = *shortest_loads(graph, traffic_of(job.lines, job.placement), Split::by_hop);
        const Loads loads = loads_of(job.lines, job.placement);
        CHECK(fullest_bound(loads) <= fullest_share(graph, routed) * (1 + 1e-9));
        CHECK(loads.leaving == Approx(routed.demand).margin(1e-9));
    }
}

TEST_CASE("loads: a ring's fullest half does not depend on where its numbers begin") {
    Random random(29);
    for (int job = 0; job < 40; ++job) {
        const int size = 3 + below(random, 9);
        Job one = random_job(random, parse_topology("ring " + std::to_string(size)));
        const double first = loads_of(one.lines, one.placement).slabs;
        for (int turn = 1; turn < size; ++turn) {
            CAPTURE(job, size, turn);
            for (int& node : one.placement.node_of_rank) node = (node + 1) % size;
            if (one.placement.node_of_rank.empty()) break;  // consecutive
            CHECK(loads_of(one.lines, one.placement).slabs == Approx(first));
        }
    }
}

TEST_CASE("loads: by a known routing the fullest link, which no bound of any routing exceeds") {
    Random random(4);
    const char* networks[] = {"torus 5x4", "torus 6x2", "mesh 4x3x2", "ring 8", "hypercube 4"};
    for (int trial = 0; trial < 30; ++trial) {
        const Topology network = parse_topology(networks[trial % 5]);
        Job job = random_job(random, network);
        const char* routing = trial % 3 == 0   ? "shortest"
                              : trial % 3 == 1 ? "dimension-order"
                                               : "dimension-order ties=onwards";
        CAPTURE(trial, network.spec(), routing);
        job.placement.routing = parse_routing(routing);
        const Network graph = network.graph();
        const bool wraps = network.family() != "mesh" && network.family() != "hypercube";
        const LinkLoads routed = *routed_loads(*job.placement.routing, graph, network.shape(),
                                               std::vector<bool>(network.shape().size(), wraps),
                                               traffic_of(job.lines, job.placement), 1, never_stop);
        const Loads loads = loads_of(job.lines, job.placement);
        CHECK(loads.link == Approx(fullest_share(graph, routed)).margin(1e-9));
        CHECK(loads.link >= fullest_bound(loads) * (1 - 1e-9));
    }
}

TEST_CASE("loads: a fixed tie on an even ring of N loads one direction (N/2+1)/(N/2-1) times the other") {
    for (const int nodes : {4, 6, 8, 32}) {
        Placement placement;
        placement.network = parse_topology("ring " + std::to_string(nodes));
        placement.nodes = nodes;
        const auto load = [&](const char* routing) {
            placement.routing = parse_routing(routing);
            return loads_of({{nodes}}, placement).link;
        };
        const double split = load("dimension-order"), onwards = load("dimension-order ties=onwards");
        CHECK(onwards / (2 * split - onwards) == Approx((nodes / 2.0 + 1) / (nodes / 2.0 - 1)));
        CHECK(1 / (split * nodes * nodes) == Approx(placement.network.phi_value()));
    }
}

TEST_CASE("loads: along the dimensions of a torus by ring, what dimension order routing loads most") {
    for (const char* spec : {"torus 8x4x2", "torus 5x3", "torus 7x4", "ring 6", "mesh 6x3", "hypercube 3"}) {
        CAPTURE(spec);
        const Topology network = parse_topology(spec);
        Job job;
        job.placement.network = network;
        job.placement.nodes = network.nodes();
        job.placement.shape = network.shape();
        job.lines.shape.assign(job.placement.shape.begin(), job.placement.shape.end());
        const bool wraps = network.family() != "mesh" && network.family() != "hypercube";
        const std::vector<bool> joined(network.shape().size(), wraps);
        const Network graph = network.graph();
        const LinkLoads routed =
            dimension_order_loads(graph, network.shape(), joined, traffic_of(job.lines, job.placement));
        const auto nodes = static_cast<double>(network.nodes());
        CHECK(1 / (nodes * nodes * network.phi_value()) == Approx(fullest_share(graph, routed)));
        CHECK(loads_of(job.lines, job.placement).slabs == 0);  // the cut says it
    }
}

TEST_CASE("loads: the issue's leaves of 24 nodes on 12 uplinks, and 30 on 6") {
    const auto uplinks = [](const char* spec, std::int64_t nodes, std::vector<std::int64_t> shape,
                            std::int64_t of_node) {
        Placement placement;
        placement.network = parse_topology(spec).with_nodes(nodes);
        placement.nodes = nodes;
        placement.ranks_per_node = of_node;
        return 25e9 / loads_of({std::move(shape)}, placement).uplinks;
    };
    const double six = (66 + 8 * 6) / 6.0, forty_two = (66 + 8 * 42) / 42.0;  // bytes an update
    CHECK(uplinks("fat-tree ports=36 levels=3 taper=2:1", 1024, {128, 16, 8, 8}, 128) / six / 1e9 ==
          Approx(351.487).epsilon(1e-5));
    CHECK(uplinks("fat-tree ports=36 levels=3 taper=1:1", 1024, {128, 16, 8, 8}, 128) / six / 1e9 ==
          Approx(617.901).epsilon(1e-5));
    CHECK(uplinks("fat-tree ports=36 levels=3 taper=5:1", 512, {8, 8, 8}, 1) / forty_two / 1e9 ==
          Approx(154.305).epsilon(1e-5));
}

TEST_CASE("placements: rules, and what does not fit") {
    CHECK(placed_ranks("consecutive", 3, 2).empty());
    CHECK(placed_ranks("round-robin", 3, 2) == std::vector{0, 1, 2, 0, 1, 2});
    const std::vector<int> random = placed_ranks("random:1", 50, 4);
    CHECK(random == placed_ranks("random:1", 50, 4));
    CHECK(random != placed_ranks("random:2", 50, 4));
    CHECK_NOTHROW(require_even(random, 50, 4));
    CHECK_THROWS_WITH(placed_ranks("rondom:1", 3, 2),
                      Catch::Contains("there is no placement 'rondom:1', did you mean"));
    CHECK_THROWS_WITH(require_even({0, 1, 1}, 2, 2), Catch::Contains("the placement has 3 ranks, but there are 4"));
    CHECK_THROWS_WITH(require_even({0, 1, 1, 2}, 2, 2), Catch::Contains("there is no node 2"));
    CHECK_THROWS_WITH(require_even({0, 1, 1, 1}, 2, 2), Catch::Contains("node 1 gets more than 2 ranks"));
    CHECK_THROWS_WITH(listed_nodes("0 1\n1 x\n", "where.txt", 2), Catch::Contains("'x' is not a node"));
    CHECK(listed_nodes("0, 1 # all\n1\n", "where.txt", 2) == std::vector{0, 1, 1});
}

}  // namespace narrows
