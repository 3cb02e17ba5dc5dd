#include "model/messages/round_loads.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <random>

#include "model/demand/placement.hpp"
#include "model/messages/collective_rounds.hpp"
#include "model/messages/round_time.hpp"
#include "topologies/adjacency.hpp"
#include "topologies/routes/dimension_order.hpp"
#include "topologies/routes/shortest.hpp"
#include "topologies/routes/up_down.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

// Who sends to whom, written out rank by rank.
Pairs rotated(int ranks, int step) {
    Pairs pairs;
    for (int rank = 0; rank < ranks; ++rank) pairs.emplace_back(rank, (rank + step) % ranks);
    return pairs;
}

Pairs neighbours_of(const std::vector<int>& grid, const std::vector<bool>& wraps) {
    Pairs pairs;
    const auto ranks = static_cast<int>(shape_nodes(grid));
    for (int rank = 0; rank < ranks; ++rank) {
        int stride = 1;
        for (std::size_t i = 0; i < grid.size(); stride *= grid[i++]) {
            const int place = rank / stride % grid[i];
            for (const int step : {1, -1}) {
                const bool again = grid[i] == 2 && step != (place == 0 ? 1 : -1);
                const bool ends = place + step < 0 || place + step >= grid[i];
                if (grid[i] == 1 || again || (ends && !wraps[i])) continue;
                pairs.emplace_back(rank, rank + ((place + step + grid[i]) % grid[i] - place) * stride);
            }
        }
    }
    return pairs;
}

Pairs doubled(int ranks, int distance) {
    Pairs pairs;
    for (int rank = 0; rank < ranks; ++rank) pairs.emplace_back(rank, rank ^ distance);
    return pairs;
}

int searched_links(const Network& network, int from, int to) {
    const Adjacency arcs(network);
    std::vector<int> far(network.vertices(), -1), reached = {from};
    far[from] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next) {
        for (int arc = arcs.first[reached[next]]; arc < arcs.first[reached[next] + 1]; ++arc) {
            if (far[arcs.target[arc]] >= 0) continue;
            far[arcs.target[arc]] = far[reached[next]] + 1;
            reached.push_back(arcs.target[arc]);
        }
    }
    return far[to];
}

struct Named {
    const char* spec;
    const char* routing;  // empty: not known
};

constexpr Named networks[] = {
    {"torus 4x4x2", "dimension-order ties=onwards"},
    {"torus 5x3", "dimension-order"},
    {"torus 6x4", "dimension-order"},
    {"torus 7", "dimension-order ties=onwards"},
    {"mesh 4x3x2", "dimension-order"},
    {"fat-tree ports=6 levels=2 taper=2:1 hosts=14", "up-down"},
    {"fat-tree ports=4 levels=3 taper=1:1", "up-down"},
    {"leaf-spine leaves=5 hosts=4 spines=2", "up-down"},
    {"star 9", "up-down"},
    {"dragonfly a=3 p=2 h=1", ""},
    {"slim-fly 5", ""},
    {"torus 4x3x3", ""},
};

// Loads of all links by the network's routing; by shortest ways where none is known.
LinkLoads routed(const Named& named, const Topology& topology, const Network& graph, const Pairs& pairs) {
    Traffic traffic{graph.hosts, 0, {}};
    for (const auto& [from, to] : pairs) traffic.demands.push_back({from, to, 1});
    const std::string routing = named.routing;
    if (routing == "up-down") return *up_down_loads(graph, traffic);
    if (routing.empty()) return *shortest_loads(graph, traffic, Split::by_paths, 1, {});
    return dimension_order_loads(graph, topology.shape(), topology.grid_wraps(), traffic, routing.ends_with("onwards"));
}

// The fullest of the links that a message alone would load.
double fullest_on_way(const Network& graph, const LinkLoads& all, const LinkLoads& alone) {
    double most = 1;
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        if (alone.forward[i] > 0) most = std::max(most, all.forward[i] / graph.edges[i].capacity);
        if (alone.backward[i] > 0) most = std::max(most, all.backward[i] / graph.edges[i].capacity);
    }
    return most;
}

constexpr double call_cost = 0.7, link_delay = 0.01, byte_cost = 0.001, message_size = 1000;

Stage stage(const char* server, Site site, double overhead) {
    Stage made;
    made.server = server;
    made.site = site;
    made.overhead = seconds(overhead);
    return made;
}

MessageCosts linear_costs() {
    MessageCosts costs;
    costs.between = [](Data) {
        Stage link = stage("link", Site::link, 0);
        link.bandwidth = Bandwidth(1 / byte_cost);
        link.link_latency = seconds(link_delay);
        return Path{"wire",
                    {stage("send", Site::processor, call_cost), link, stage("receive", Site::processor, call_cost)}};
    };
    costs.inside = [](Data) {
        return Path{"copy", {stage("send", Site::processor, call_cost), stage("receive", Site::processor, call_cost)}};
    };
    return costs;
}

struct Case {
    Named named;
    int each;
    std::string placement;
    std::string workload;
};

/// A case whose messages are written out, placed and routed one by one.
class Enumerated {
  public:
    explicit Enumerated(const Case& drawn)
        : case_(drawn), topology_(parse_topology(drawn.named.spec)), graph_(topology_.graph()) {
        places_ = {graph_.hosts, drawn.each, placed_ranks(drawn.placement, graph_.hosts, drawn.each)};
    }

    int ranks() const { return static_cast<int>(places_.ranks()); }
    const Topology& topology() const { return topology_; }

    PhaseLoads loads(const Round& round) const {
        const std::string routing = case_.named.routing;
        const auto known = routing.empty() ? std::nullopt : std::optional(parse_routing(routing));
        return phase_loads({round}, places_, NodeNetwork(topology_, nullptr, known));
    }

    // Of each message: calls + way + (it and those before it) on the fullest link of its way, or before it in the
    // calls.
    double time(const Pairs& pairs) const {
        Pairs nodes;
        std::vector<int> all(ranks(), 0);
        for (const auto& [from, to] : pairs) {
            ++all[from];
            if (places_.node(from) != places_.node(to)) nodes.emplace_back(places_.node(from), places_.node(to));
        }
        const double calls = (*std::ranges::max_element(all) - 1) * call_cost;
        const double link = message_size * byte_cost;
        const LinkLoads loads = routed(case_.named, topology_, graph_, nodes);
        double longest = 2 * call_cost + calls;  // inside a node
        for (const auto& each : nodes) {
            const double fullest = fullest_on_way(graph_, loads, routed(case_.named, topology_, graph_, {each}));
            const double way = searched_links(graph_, each.first, each.second) * link_delay;
            longest = std::max(longest, 2 * call_cost + way + link + std::max(calls, (fullest - 1) * link));
        }
        return longest;
    }

  private:
    Case case_;
    Topology topology_;
    Network graph_;
    RankPlaces places_;
};

}  // namespace

TEST_CASE("a round takes what its messages ask of calls, ways and the fullest link, one by one") {
    std::mt19937_64 random(20);
    const auto below = [&random](std::size_t end) { return random() % end; };
    int exact = 0, bounded = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Named& named = networks[below(std::size(networks))];
        const std::string placements[] = {"consecutive", "round-robin", "random:" + std::to_string(trial)};
        const std::string workloads[] = {"all-to-all", "halo-exchange", "allreduce"};
        const Case drawn{named, 1 + static_cast<int>(below(3)), placements[below(3)], workloads[below(3)]};
        const Enumerated job(drawn);
        Round round;
        Pairs pairs;
        if (drawn.workload == "all-to-all") {
            const int step = 1 + static_cast<int>(below(static_cast<std::size_t>(job.ranks() - 1)));
            round = {1, bytes(message_size), {{job.ranks(), 1, job.ranks(), step}}};
            pairs = rotated(job.ranks(), step);
        } else if (drawn.workload == "allreduce") {
            const auto rounds = collective_rounds("allreduce", "recursive-doubling", job.ranks(), bytes(message_size));
            if ((job.ranks() & (job.ranks() - 1)) != 0) continue;
            const auto bit = below(rounds.size());
            round = rounds[bit];
            pairs = doubled(job.ranks(), 1 << bit);
        } else {
            const bool grid = !job.topology().grid_wraps().empty();
            std::vector<int> shape = grid ? job.topology().shape() : default_rank_shape(job.ranks());
            if (grid) shape.front() *= drawn.each;
            const std::vector<bool> wraps = grid ? job.topology().grid_wraps() : std::vector<bool>(shape.size(), true);
            pairs = neighbours_of(shape, wraps);
            int most = 0;
            for (const int size : shape) most += std::min(2, size - 1);
            round = halo_round(shape, wraps, most, bytes(message_size));
        }
        CAPTURE(named.spec, named.routing, drawn.each, drawn.placement, drawn.workload);
        const double time = phase_time(job.loads(round), linear_costs()).total.si();
        const double enumerated = job.time(pairs);
        if (*named.routing != '\0') CHECK(time == Approx(enumerated));
        if (*named.routing == '\0') CHECK(time <= enumerated * (1 + 1e-9));  // whatever the routing
        ++(*named.routing != '\0' ? exact : bounded);
    }
    CHECK(exact >= 120);
    CHECK(bounded >= 30);
}

TEST_CASE("a rotation of consecutive ranks is by formula what it is counted rank by rank") {
    int compared = 0;
    for (const Named& named : networks) {
        const Topology topology = parse_topology(named.spec);
        for (const bool with_routing : {false, true}) {
            const std::string routing = with_routing ? named.routing : "";
            if (with_routing && routing.empty()) continue;
            const NodeNetwork network(topology, nullptr,
                                      routing.empty() ? std::nullopt : std::optional(parse_routing(routing)));
            for (const int each : {1, 2, 3, 5}) {
                const auto nodes = static_cast<int>(topology.nodes());
                for (const int used : {nodes, nodes - 1, nodes / 2}) {
                    const int ranks = used * each;
                    for (int step = 1; step < ranks && used > 1; ++step) {
                        const auto formula = network.rotation(step, ranks, each);
                        if (!formula) break;
                        if (network.rotations_mirror(each))
                            CHECK(*formula == *network.rotation(ranks - step, ranks, each));
                        Pairs pairs = rotated(ranks, step);
                        for (auto& [from, to] : pairs) from /= each, to /= each;
                        const PairLoads counted = network.loads(pairs);
                        CAPTURE(named.spec, routing, each, used, step);
                        CHECK(formula->links == counted.links);
                        CHECK(formula->leaving == Approx(counted.leaving));
                        CHECK(formula->host == Approx(counted.host));
                        CHECK(formula->shared == Approx(counted.shared));
                        ++compared;
                    }
                }
            }
        }
    }
    CHECK(compared > 3000);
}

TEST_CASE("all rounds of an all-to-all: by formula as one by one, and the mean is no more") {
    const RankPlaces many{200, 1, {}};
    const NodeNetwork network(parse_topology("fat-tree ports=36 levels=2 taper=2:1 hosts=200"), nullptr);
    const auto rounds = all_to_all_rounds(200, bytes(message_size));
    const PhaseLoads formula = phase_loads(rounds, many, network);
    CHECK_FALSE(formula.by_ranks);
    double sum = 0, counted = 0;
    for (int step = 1; step < 200; ++step) {
        const Round one{1, bytes(message_size), {{200, 1, 200, step}}};
        counted += phase_time(phase_loads({one}, many, network), linear_costs()).total.si();
    }
    for (const RoundLoads& round : formula.rounds) sum += round.times;
    CHECK(sum == 199);
    CHECK(phase_time(formula, linear_costs()).total.si() == Approx(counted));
    const PairLoads mean = network.mean_of_rotations(200, 1);
    double shared = 0;
    for (int step = 1; step < 200; ++step) shared += network.rotation(step, 200, 1)->shared;
    CHECK(mean.shared <= shared / 199 * (1 + 1e-12));
    CHECK(mean.shared >= 0.9 * shared / 199);
}

TEST_CASE("of an all-to-all of too many messages to count some rounds stand for all") {
    const int ranks = 3072;
    const RankPlaces many{ranks, 1, {}};
    const NodeNetwork network(parse_topology("hypercube 8 hosts=12"), nullptr);
    const PhaseLoads some = phase_loads(all_to_all_rounds(ranks, bytes(message_size)), many, network);
    CHECK(some.sampled);
    CHECK_FALSE(some.by_mean);
    CHECK(some.rounds.size() == (1 << 23) / ranks);
    double rounds = 0, counted = 0;
    for (const RoundLoads& round : some.rounds) rounds += round.times;
    CHECK(rounds == ranks - 1);
    for (int step = 1; step < ranks; ++step) {
        const Round one{1, bytes(message_size), {{ranks, 1, ranks, step}}};
        counted += phase_time(phase_loads({one}, many, network), linear_costs()).total.si();
    }
    CHECK(phase_time(some, linear_costs()).total.si() == Approx(counted).epsilon(1e-3));
}

TEST_CASE("the mean of all rounds goes as far as the job's farthest pair, and loads what all rounds load together") {
    for (const char* spec : {"dragonfly a=4 p=2 h=2", "jellyfish 40 degree=4 seed=2", "slim-fly 5",
                             "fat-tree ports=6 levels=3 taper=2:1", "torus 5x4x2"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const int nodes = static_cast<int>(std::min<std::int64_t>(topology.nodes(), 40));
        const NodeNetwork network(topology, nullptr);
        const PairLoads mean = network.mean_of_rotations(nodes, 1);
        int farthest = 0;
        for (int from = 0; from < nodes; ++from) {
            for (int to = 0; to < nodes; ++to) farthest = std::max(farthest, network.links_between(from, to));
        }
        CHECK(mean.links >= farthest);
        if (nodes == topology.nodes()) CHECK(mean.links == farthest);
        double together = 0;
        for (int step = 1; step < nodes; ++step) {
            std::vector<std::pair<int, int>> messages;
            for (int from = 0; from < nodes; ++from) messages.emplace_back(from, (from + step) % nodes);
            together += network.loads(messages).shared / (nodes - 1);
        }
        CHECK(mean.shared <= together * (1 + 1e-12));
    }
}

TEST_CASE("messages from each rank to each other at once: by formula what counting them gives") {
    for (const char* spec : {"torus 10x10x10", "fat-tree ports=36 levels=2 taper=2:1", "dragonfly a=4 p=2 h=2"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const std::int64_t nodes = topology.nodes(), each = 3000 / nodes + 1;
        const RankPlaces many{nodes, each, {}};
        const NodeNetwork network(topology, nullptr);
        std::vector<Round> rounds = collective_rounds("all-to-all", "linear", many.ranks(), bytes(message_size));
        const PhaseLoads formula = phase_loads(rounds, many, network);
        std::swap(rounds.front().moves[0], rounds.front().moves[1]);  // which no formula knows
        const PhaseLoads counted = phase_loads(rounds, many, network);
        REQUIRE(formula.kinds.size() == counted.kinds.size());
        for (std::size_t i = 0; i < formula.kinds.size(); ++i) {
            const MessageLoads &one = formula.kinds[i], &other = counted.kinds[i];
            CHECK(one.inside == other.inside);
            CHECK(one.rank == other.rank);
            CHECK(one.beside == other.beside);
            CHECK(one.node == other.node);
            CHECK(one.memory == other.memory);
            CHECK(one.network.links == other.network.links);
            CHECK(one.network.leaving == Approx(other.network.leaving));
            CHECK(one.network.host == Approx(other.network.host));
            CHECK(one.network.shared == Approx(other.network.shared));
        }
    }
}

TEST_CASE("rounds of an all-to-all that are alike are as many as there are steps") {
    for (const Named& named : networks) {
        const Topology topology = parse_topology(named.spec);
        for (const int each : {5, 8, 16}) {
            const auto nodes = static_cast<int>(topology.nodes());
            const RankPlaces many{nodes, each, {}};
            const NodeNetwork network(topology, nullptr);
            const std::int64_t ranks = many.ranks();
            if (!network.rotation(1, ranks, each) || ranks < 130) continue;
            const PhaseLoads loads = phase_loads(all_to_all_rounds(ranks, bytes(1)), many, network);
            REQUIRE_FALSE(loads.by_ranks);
            std::map<double, double> shared;  // steps of each load
            for (std::int64_t step = 1; step < ranks; ++step) shared[network.rotation(step, ranks, each)->shared] += 1;
            std::map<double, double> found;
            for (const RoundLoads& round : loads.rounds) {
                found[loads.kinds[round.kinds.back()].network.shared] += round.times;
            }
            CAPTURE(named.spec, each);
            CHECK(found == shared);
        }
    }
}

TEST_CASE("lines of a grid that do the same are counted once: the same as all of them") {
    int kinds = 0;
    for (const char* spec : {"torus 4x4x2", "torus 8x4", "mesh 4x2x4", "hypercube 5", "torus 16x2x2", "torus 6x4x2"}) {
        const Topology topology = parse_topology(spec);
        const auto nodes = static_cast<int>(topology.nodes());
        for (const char* routing : {"", "dimension-order", "dimension-order ties=onwards"}) {
            const NodeNetwork network(topology, nullptr,
                                      *routing == '\0' ? std::nullopt : std::optional(parse_routing(routing)));
            for (const int each : {1, 2, 4, 3}) {
                RankPlaces listed{nodes, each, {}};
                for (int rank = 0; rank < nodes * each; ++rank) listed.node_of_rank.push_back(rank / each);
                const std::int64_t ranks = listed.ranks();
                for (const std::int64_t stride : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64}) {
                    for (const std::int64_t size : {2, 3, 4}) {
                        if (ranks % (stride * size) != 0) continue;
                        for (const bool wraps : {false, true}) {
                            for (const double times : {1., 1e6}) {  // ranks are followed, or too many
                                const Round round{times, bytes(8), {{ranks, stride, size, 1, wraps}}};
                                const PhaseLoads once = phase_loads({round}, {nodes, each, {}}, network);
                                const PhaseLoads all = phase_loads({round}, listed, network);
                                CAPTURE(spec, routing, each, stride, size, wraps, times);
                                REQUIRE(once.kinds == all.kinds);
                                const auto& messages = once.rounds.front().messages;
                                const auto& others = all.rounds.front().messages;
                                REQUIRE(messages.size() == others.size());
                                for (std::size_t i = 0; i < messages.size(); ++i) {
                                    REQUIRE(messages[i].from == others[i].from);
                                    REQUIRE(messages[i].kind == others[i].kind);
                                }
                                kinds += static_cast<int>(once.kinds.size());
                            }
                        }
                    }
                }
            }
        }
    }
    CHECK(kinds > 2000);
}

TEST_CASE("memory is charged once for a message that leaves or comes, twice for one that stays") {
    MessageCosts costs = linear_costs();
    const RankPlaces one_node{1, 4, {}};
    const auto rounds = all_to_all_rounds(4, bytes(message_size));
    const double before = phase_time(phase_loads(rounds, one_node, NodeNetwork()), costs).total.si();
    CHECK(before == Approx(3 * 2 * call_cost));
    costs.memory = Bandwidth(10);
    const Breakdown slow = phase_time(phase_loads(rounds, one_node, NodeNetwork()), costs);
    CHECK(slow.total.si() == Approx(3 * 4 * 2 * message_size / 10));  // four messages a round, read and written
    const RankPlaces two{2, 2, {}};
    const NodeNetwork network(parse_topology("star 2"), nullptr);
    const Round across{1, bytes(message_size), {{4, 1, 4, 2}}};
    CHECK(phase_time(phase_loads({across}, two, network), costs).total.si() == Approx((2 + 2) * message_size / 10));
}

TEST_CASE("ranks that need not wait for a slow pair do not: less than the slowest message of every round") {
    const RankPlaces placed{8, 1, {0, 4, 1, 5, 2, 6, 3, 7}};
    const NodeNetwork network(parse_topology("fat-tree ports=4 levels=3 taper=1:1 hosts=8"), nullptr);
    const auto rounds = collective_rounds("allreduce", "tree", 8, bytes(message_size));
    const PhaseLoads followed = phase_loads(rounds, placed, network);
    REQUIRE(followed.by_ranks);
    double farthest = 0;
    for (const Round& round : rounds) {
        farthest += phase_time(phase_loads({round}, placed, network), linear_costs()).total.si();
    }
    CHECK(phase_time(followed, linear_costs()).total.si() <= farthest);
}

TEST_CASE("a routing that would take too long to follow leaves the bounds of any") {
    const RankPlaces placed{3375, 1, {}};
    const Topology torus = parse_topology("torus 15x15x15");
    const auto rounds = all_to_all_rounds(placed.ranks(), bytes(message_size));
    const auto time = [&](const std::optional<Routing>& routing) {
        return phase_time(phase_loads(rounds, placed, NodeNetwork(torus, nullptr, routing)), linear_costs()).total.si();
    };
    CHECK(time(parse_routing("shortest")) == time(std::nullopt));
    CHECK(phase_loads(rounds, placed, NodeNetwork(torus, nullptr, parse_routing("shortest"))).unrouted);
    CHECK_FALSE(phase_loads(rounds, placed, NodeNetwork(torus, nullptr, parse_routing("dimension-order"))).unrouted);
}

TEST_CASE("a round that repeats is followed by its routing as often as one") {
    const std::int64_t nodes = 1152;
    const RankPlaces placed{nodes, 1, placed_ranks("random:1", nodes, 1)};
    const NodeNetwork network(parse_topology("torus 12x12x8"), nullptr, parse_routing("dimension-order"));
    const Round shift{1, bytes(message_size), {{nodes, 1, nodes, 1}}};
    Round ring = shift;
    ring.times = 2 * (nodes - 1);
    const PhaseLoads once = phase_loads({shift}, placed, network), repeated = phase_loads({ring}, placed, network);
    CHECK_FALSE(repeated.unrouted);
    CHECK(phase_time(repeated, linear_costs()).total.si() >=
          0.99 * static_cast<double>(ring.times) * 0.5 * phase_time(once, linear_costs()).total.si());
}

TEST_CASE("more bytes between other nodes are not faster where nodes have links of their own") {
    const NodeNetwork network(parse_topology("torus 4x4"), nullptr);
    const auto time = [&](double size) {
        const Round round{1, bytes(1000), {}, false, false, {{0, 2, bytes(1000)}, {1, 8, bytes(size)}}};
        return phase_time(phase_loads({round}, {16, 2, {}}, network), linear_costs()).total.si();
    };
    CHECK(time(300) <= time(1000) * (1 + 1e-12));
}

TEST_CASE("messages of different rounds need no less than the link of the node that sends or gets them") {
    const RankPlaces placed{3, 2, {}};
    const NodeNetwork network(parse_topology("star 3"), nullptr);
    const auto sent = [](std::int64_t from, std::int64_t to, double size) {
        return Round{1, bytes(size), {}, false, false, {{from, to, bytes(size)}}};
    };
    MessageCosts costs = linear_costs();
    const auto time = [&](const std::vector<Round>& rounds) {
        return phase_time(phase_loads(rounds, placed, network), costs).total.si();
    };
    const double wire = busy_time(costs.between(bytes(1000)), "link", bytes(1000)).si();
    REQUIRE(wire > 0);
    CHECK(time({sent(0, 2, 1000), sent(1, 4, 300)}) >= Approx(1.3 * wire));  // both leave the first node
    CHECK(time({sent(2, 0, 1000), sent(4, 1, 300)}) >= Approx(1.3 * wire));  // both come to it
    CHECK(time({sent(0, 2, 1000), sent(3, 4, 300)}) == time({sent(0, 2, 1000)}));
    costs.background = 0.5;
    CHECK(time({sent(0, 2, 1000), sent(1, 4, 300)}) >= Approx(2.6 * wire));
}

TEST_CASE("ranks that repeat are counted once: the same as all of them") {
    for (const char* spec :
         {"fat-tree ports=64 levels=3 taper=1:1 hosts=16384", "fat-tree ports=48 levels=3 taper=3:1 hosts=16384"}) {
        const NodeNetwork network(parse_topology(spec), nullptr);
        std::vector<int> listed(16384);
        std::iota(listed.begin(), listed.end(), 0);  // in order, but not known to be
        for (const Round& round : collective_rounds("allreduce", "recursive-doubling", 16384, bytes(1))) {
            const Round many{9, round.payload, round.moves};  // messages to follow
            const PhaseLoads once = phase_loads({many}, {16384, 1, {}}, network);
            REQUIRE_FALSE(once.by_ranks);
            CHECK(once.kinds == phase_loads({many}, {16384, 1, listed}, network).kinds);
        }
    }
}

TEST_CASE("ranks that have one message at a time send and receive those of a round one after the other") {
    const Data payload = bytes(64);
    const auto times = [](const std::vector<Round>& rounds, bool combining) {
        double sum = 0;
        for (const Round& round : rounds) sum += combining == round.combines ? round.times : 0;
        return sum;
    };
    const auto tree = in_turns(collective_rounds("allreduce", "tree", 2, payload), 1);
    CHECK(times(tree, true) == 1);  // a pair's messages of a tree go one way each
    CHECK(times(tree, false) == 1);
    const auto doubling = in_turns(collective_rounds("allreduce", "recursive-doubling", 4, payload), 1);
    CHECK(times(doubling, true) == 2);
    CHECK(times(doubling, false) == 2);
    const auto ring = in_turns(collective_rounds("allreduce", "ring", 4, payload), 1);
    CHECK(times(ring, true) == 3);
    CHECK(times(ring, false) == 9);
    CHECK(times(in_turns(all_to_all_rounds(4, payload), 1), false) == 6);
    const Round halo = halo_round({4, 4}, {true, true}, 4, payload);
    CHECK(messages_of_a_rank(halo) == 8);
    CHECK(times(in_turns({halo}, 1), false) == 8);
    CHECK(times(in_turns({halo}, 3), false) == 3);
    CHECK(times(in_turns({halo}, 100), false) == 1);
    CHECK(in_turns({halo}, 1).front().moves.size() == 1);
    CHECK(messages_of_a_rank(Round{1, payload, {}}) == 0);
}

TEST_CASE("messages of several sizes take no less than a server that all of them pass") {
    // Of 2^k bytes from the lower half of 32 nodes to the upper half, as each phase of sizes is a round of its own.
    std::vector<RankPair> sent;
    double all = 0;
    for (int k = 0; k < 16; ++k) {
        sent.push_back({k, 16 + k, bytes(std::ldexp(1.0, k))});
        all += std::ldexp(1.0, k);
    }
    const auto time_on = [&](const std::string& network, int ranks_per_node, const MessageCosts& costs) {
        const RankPlaces places{32 / ranks_per_node, ranks_per_node, {}};
        const NodeNetwork nodes(parse_topology(network), nullptr, std::nullopt);
        const PhaseLoads loads = phase_loads(matched_rounds(sent), places, nodes);
        CHECK(loads.rounds.size() > 3);
        return phase_time(loads, costs);
    };
    const auto path = [](const std::vector<std::string>& servers) {
        return [servers](Data) {
            Path made;
            for (const std::string& server : servers) {
                Stage stage;
                stage.server = server;
                stage.site = server == "link" ? Site::link : Site::node;
                stage.bandwidth = Bandwidth(1e6);
                made.stages.push_back(stage);
            }
            return made;
        };
    };
    MessageCosts costs{path({"link"}), path({}), {}, {}, 0};
    const auto takes = [&](const std::string& network, int ranks_per_node, double seconds) {
        const double found = time_on(network, ranks_per_node, costs).total.si();
        CHECK(found >= seconds * (1 - 1e-4));
        CHECK(found <= seconds * 1.6);  // two sizes of a round count as the larger
    };
    takes("mesh 32", 1, all / 1e6);
    takes("leaf-spine leaves=2 hosts=16 spines=1", 1, all / 1e6);
    costs = {path({"bus", "link"}), path({"bus"}), {}, {}, 0};
    takes("mesh 2", 16, all / 1e6);
    costs = {path({"memory"}), path({"memory"}), {}, {}, 0};
    takes("mesh 2", 16, all / 1e6);
    costs = {path({"link"}), path({}), {}, Bandwidth(0.5e6), 0};
    takes("mesh 2", 16, all / 0.5e6);
    for (RankPair& pair : sent) pair.to = 15 - pair.from;  // both of a node, of which memory is read and written
    std::erase_if(sent, [](const RankPair& pair) { return pair.from > pair.to; });
    takes("mesh 2", 16, 2 * 255 / 0.5e6);
}

}  // namespace narrows
