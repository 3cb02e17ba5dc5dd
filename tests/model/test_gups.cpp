#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "data/library.hpp"
#include "model/gups/bucketed.hpp"
#include "model/gups/naive.hpp"
#include "model/gups/routed.hpp"
#include "model/gups/sequential.hpp"
#include "model/gups/tune.hpp"
#include "predictions.hpp"
#include "tests/topologies/least_numbers.hpp"

namespace narrows {
namespace {

// The tightest cut of a small network, by trying each: the updates that cross it one way, over the links' bandwidth.
double tightest_cut(const Network& network, double link, double bytes_per_update) {
    const double nodes = network.hosts;
    double tightest = std::numeric_limits<double>::infinity();
    for (unsigned set = 1; set + 1 < 1U << network.hosts; ++set) {
        double capacity = 0;
        for (const Edge& edge : network.edges) {
            if ((set >> edge.u & 1U) != (set >> edge.v & 1U)) capacity += edge.capacity;
        }
        const double inside = __builtin_popcount(set);
        const double crossing = inside / nodes * (nodes - inside) / nodes;  // share of updates from here to there
        tightest = std::min(tightest, capacity * link / (crossing * bytes_per_update));
    }
    return tightest;
}

NetworkShare share_of(const Topology& topology, double link) {
    return {static_cast<double>(topology.nodes()), topology.phi_value(), Bandwidth(link)};
}

NaiveGups naive_inputs() {
    NaiveGups inputs;
    inputs.ranks = 4;
    inputs.workers = 4;
    inputs.update = seconds(1);
    inputs.send = seconds(2);
    inputs.receive = seconds(4);
    inputs.other = seconds(2);
    inputs.bytes = bytes(10);
    inputs.network = {4, 0.5, Bandwidth(100)};
    return inputs;
}

RoutedGups routed_inputs() {
    RoutedGups inputs;
    inputs.workers = 8;
    inputs.hops = 1.5;
    inputs.updates_per_packet = 4;
    inputs.update = seconds(1);
    inputs.per_update = seconds(2);
    inputs.per_packet = seconds(8);
    inputs.bytes = bytes(10);
    inputs.network = {8, 0.25, Bandwidth(100)};
    return inputs;
}

BucketedGups bucketed_inputs() {
    BucketedGups inputs;
    inputs.ranks = 8;
    inputs.workers = 8;
    inputs.mean_bucket = 2;
    inputs.update = seconds(1);
    inputs.test = seconds(2);
    inputs.test_interval = 4;
    inputs.heap_level = seconds(3);
    inputs.insert = seconds(5);
    inputs.message = seconds(10);
    inputs.state = bytes(400);
    inputs.cache = bytes(100);
    inputs.miss = seconds(4);
    inputs.bytes = bytes(10);
    inputs.network = {8, 1000, Bandwidth(100)};
    return inputs;
}

}  // namespace

TEST_CASE("processor bound: hand values, proportional to the processors") {
    CHECK(processor_bound(3, seconds(2)) == Rate(1.5));
    CHECK(processor_bound(65536, seconds((104 + 2883.0 * 65535 / 65536) / 700e6)).si() ==
          Approx(15.3585e9).epsilon(1e-5));
    CHECK(processor_bound(2, seconds(7)) == processor_bound(1, seconds(7)) * 2);
}

TEST_CASE("cut bound: hand values, and alpha where the sparsest cut halves the nodes") {
    CHECK(cut_bound({4, 0.5, Bandwidth(100)}, bytes(10)) == Rate(80));
    for (const char* spec : {"torus 64x32x32", "torus 8x8x16", "mesh 8x4x8", "hypercube 10"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const double nodes = static_cast<double>(topology.nodes());
        const double with_alpha = 2 * nodes / 78 * topology.alpha().upper * 0.175e9;  // garg2006 (2)
        CHECK(cut_bound(share_of(topology, 0.175e9), bytes(78)).si() == Approx(with_alpha));
    }
    const Topology odd = parse_topology("torus 7x3");
    CHECK(cut_bound(share_of(odd, 1), bytes(1)).si() <= 2 * 21 * odd.alpha().upper * (1 + 1e-12));
}

TEST_CASE("cut bound: the tightest of all cuts of small networks") {
    for (const char* spec : {"torus 7", "torus 4x3", "torus 2x3x2", "torus 4x4", "mesh 5", "mesh 4x3", "mesh 3x3",
                             "mesh 3x2x2", "hypercube 1", "hypercube 3", "hypercube 4"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const double bound = cut_bound(share_of(topology, 175), bytes(46)).si();
        CHECK(bound == Approx(tightest_cut(topology.graph(), 175, 46)));
    }
    for (const char* spec : {"fat-tree ports=4 levels=2 taper=1:1", "fat-tree ports=6 levels=2 taper=2:1 hosts=14"}) {
        CAPTURE(spec);
        const Topology topology = parse_topology(spec);
        const double nodes = static_cast<double>(topology.nodes());
        const double phi_found = testing::least_numbers(topology.graph()).phi;
        CHECK(cut_bound(share_of(topology, 1), bytes(1)).si() == Approx(nodes * nodes * phi_found));
    }
}

TEST_CASE("the network's bound applies from two nodes on, those of other servers always, and of two cuts the tighter") {
    const auto bounds_of = [](const NetworkShare& network, const std::vector<Bound>& servers) {
        std::vector<Bound> bounds;
        add_bounds(bounds, network, bytes(8), servers);
        return bounds;
    };
    const NetworkShare lone{1, std::numeric_limits<double>::infinity(), Bandwidth(1)};
    const NetworkShare eight{8, 0.5, Bandwidth(1)};  // at most 4 a second
    const Bound memory{Resource::memory, Rate(3), "", ""};
    CHECK(bounds_of(lone, {}).empty());
    CHECK(bounds_of(lone, {memory}).size() == 1);
    CHECK(bounds_of(eight, {memory}).size() == 2);
    const auto limit = [&](double slab) { return bounds_of(eight, {{Resource::network, Rate(slab), "", ""}, memory}); };
    CHECK(limit(5).size() == 2);
    CHECK(limit(5).front().limit == Rate(4));
    CHECK(limit(2).front().limit == Rate(2));
}

TEST_CASE("sequential: a rank is a processor and its table") {
    const Prediction prediction = sequential_gups(seconds(104 / 700e6));
    CHECK(prediction.rate.si() == Approx(0.0067e9).epsilon(0.005));
    check_consistent(prediction);
    CHECK(sequential_gups(seconds(2)).rate == sequential_gups(seconds(1)).rate / 2);
}

TEST_CASE("naive: hand values") {
    const Prediction prediction = naive_gups(naive_inputs());
    check_consistent(prediction);
    CHECK(limit_of(prediction, "processor") == Rate(4.0 / 7));  // 1 + 3/4 (2 + 4 + 2)
    CHECK(limit_of(prediction, "network") == Rate(80));
    CHECK(prediction.rate == Rate(4.0 / 7));
    CHECK(term_of(prediction, "receive") == seconds(3));
}

TEST_CASE("naive: messages of several updates, and what is left in buckets at the end") {
    CHECK(naive_messages(1, 4, 100) == 1);
    CHECK(naive_messages(4, 4, 1e12) == Approx(0.25));
    CHECK(naive_messages(4, 4, 100) == Approx(0.25 + 0.375 * 12 / 100));  // 12 buckets with 1.5 updates each
    CHECK(naive_messages(64, 16, 1) == 1);
    NaiveGups together = naive_inputs();
    together.messages = 0.25;
    CHECK(limit_of(naive_gups(together), "processor") == Rate(4 / 2.5));  // 1 + 3/16 (2 + 4 + 2)
    check_consistent(naive_gups(together));
}

TEST_CASE("routed: with many packets under way nothing is lost to queues between processor and network") {
    RoutedGups inputs = routed_inputs();
    inputs.network.link = Bandwidth(0.75);
    const Prediction few = routed_gups(inputs);
    inputs.under_way = 1000;
    const Prediction many = routed_gups(inputs);
    const double least = std::min(limit_of(many, "processor").si(), limit_of(many, "network").si());
    CHECK(many.rate.si() == Approx(least).epsilon(0.002));
    CHECK(few.rate.si() < 0.95 * least);
}

TEST_CASE("naive: one rank sends nothing, a slow link decides, more of any cost is never faster") {
    NaiveGups alone = naive_inputs();
    alone.ranks = alone.workers = 1;
    alone.network.nodes = 1;
    CHECK(naive_gups(alone).rate == Rate(1));
    NaiveGups slow = naive_inputs();
    slow.network.link = Bandwidth(0.1);
    CHECK(naive_gups(slow).bottleneck == "network");
    CHECK(naive_gups(slow).rate.si() == Approx(0.08));
    check_consistent(naive_gups(slow));
    using Cost = Time NaiveGups::*;
    for (const Cost cost : {Cost(&NaiveGups::update), &NaiveGups::send, &NaiveGups::receive, &NaiveGups::other}) {
        NaiveGups dearer = naive_inputs();
        dearer.*cost *= 1.1;
        CHECK(naive_gups(dearer).rate < naive_gups(naive_inputs()).rate);
    }
}

TEST_CASE("bucketed: hand values") {
    const Prediction prediction = bucketed_gups(bucketed_inputs());
    check_consistent(prediction);
    const double levels = 1.5 * 3;  // (1 + 1/2) log2 8
    const double time = 1 + 7.0 / 8 * (2.0 / 4 + 5 + levels * (3 + 0.75 * 4) + 10.0 / 2);
    CHECK(prediction.rate.si() == Approx(8 / time));
    CHECK(term_of(prediction, "cache misses").si() == Approx(7.0 / 8 * levels * 3));
}

TEST_CASE("bucketed: state in the cache misses nothing, rarer tests and larger buckets are faster") {
    const Rate rate = bucketed_gups(bucketed_inputs()).rate;
    BucketedGups inputs = bucketed_inputs();
    inputs.state = inputs.cache;
    CHECK(term_of(bucketed_gups(inputs), "cache misses") == seconds(0));
    CHECK(bucketed_gups(inputs).rate > rate);
    inputs = bucketed_inputs();
    inputs.cache = bytes(0);
    CHECK(term_of(bucketed_gups(inputs), "cache misses") == seconds(0));
    inputs = bucketed_inputs();
    inputs.test_interval = 60;
    CHECK(bucketed_gups(inputs).rate > rate);
    inputs = bucketed_inputs();
    inputs.mean_bucket = 4;
    CHECK(bucketed_gups(inputs).rate > rate);
    inputs = bucketed_inputs();
    const double before = 1 / bucketed_gups(inputs).rate.si();
    inputs.own = seconds(4);  // of one update in eight
    CHECK(1 / bucketed_gups(inputs).rate.si() == Approx(before + 4.0 / 8 / 8));
    inputs = bucketed_inputs();
    inputs.ranks = inputs.workers = 1;
    inputs.network.nodes = 1;
    CHECK(bucketed_gups(inputs).rate == Rate(1));
}

TEST_CASE("routed: software hops of shapes, of hypercubes too") {
    CHECK(routed_hops(std::vector{4, 4, 2}) == Approx(2));
    CHECK(routed_hops(std::vector{8, 4, 8}) == Approx(2.5));
    CHECK(routed_hops(std::vector{64, 32, 32}) == Approx(2.921875));
    CHECK(routed_hops(std::vector{1}) == 0);
    CHECK(routed_hops(std::vector<int>{}) == 0);
    for (int dimensions = 1; dimensions <= 40; ++dimensions) {
        CHECK(routed_hops(std::vector<int>(dimensions, 2)) == Approx(dimensions / 2.0));
    }
}

TEST_CASE("routed: hops are the mean number of coordinates in which two ranks differ") {
    for (const std::vector<int>& shape : {std::vector{5}, {2, 2, 2, 2}, {4, 1, 3}, {3, 2, 5, 2}}) {
        int ranks = 1;
        for (const int size : shape) ranks *= size;
        double differing = 0;
        for (int a = 0; a < ranks; ++a) {
            for (int b = 0; b < ranks; ++b) {
                int rest_a = a;
                int rest_b = b;
                for (const int size : shape) {
                    differing += rest_a % size != rest_b % size ? 1 : 0;
                    rest_a /= size;
                    rest_b /= size;
                }
            }
        }
        CHECK(routed_hops(shape) == Approx(differing / ranks / ranks));
    }
}

TEST_CASE("a packet takes whole cache lines") {
    CHECK(lines_of_packet(0) == 1);
    CHECK(lines_of_packet(1) == 1);
    CHECK(lines_of_packet(8) == 1);
    CHECK(lines_of_packet(9) == 2);
    CHECK(lines_of_packet(24) == 3);
}

TEST_CASE("routed: a bucket holds its share of 1024 updates, at least one") {
    CHECK(routed_bucket(std::vector{64, 32, 32}) == 8);
    CHECK(routed_bucket(std::vector{4, 4, 2}) == 102);
    CHECK(routed_bucket(std::vector<int>(16, 2)) == 32);
    CHECK(routed_bucket(std::vector{1024}) == 1);
    CHECK(routed_bucket(std::vector{1 << 30, 1 << 30, 1 << 30}) == 1);
}

TEST_CASE("routed: at the end buckets are flushed that hold updates, in the mean over all of their numbers") {
    for (const double bucket : {1.0, 2.0, 8.0, 64.0, 512.0}) {
        for (const double of_peer : {0.01, 0.3, 1.0, 3.0, 40.0, 600.0}) {
            double packets = 0;  // E[ceil(N/k)] of a Poisson number
            for (int n = 1; n < 1200; ++n) {
                const double probability = std::exp(n * std::log(of_peer) - of_peer - std::lgamma(n + 1.0));
                packets += probability * std::ceil(n / bucket);
            }
            const double updates = 4 * of_peer;
            const double flushed = finishing_packets(std::vector{4}, bucket, updates) * updates / 3;
            INFO(bucket << " a packet, " << of_peer << " for a peer");
            CHECK(of_peer / bucket + flushed == Approx(packets).epsilon(0.17));
            if (bucket == 1) CHECK(flushed == 0);
            if (of_peer == 0.01) CHECK(of_peer / bucket + flushed == Approx(packets).epsilon(1e-3));
        }
    }
}

TEST_CASE("routed: hand values") {
    const Prediction prediction = routed_gups(routed_inputs());
    check_consistent(prediction);
    CHECK(limit_of(prediction, "processor") == Rate(8.0 / 7));  // 1 + 1.5 (2 + 8/4)
    CHECK(limit_of(prediction, "network") == Rate(160));
    CHECK(prediction.rate == queued_rate(Rate(8.0 / 7), Rate(160), 3));
    RoutedGups missing = routed_inputs();
    missing.lookup_state = bytes(400);
    missing.cache = bytes(100);
    missing.miss = seconds(4);
    missing.flushed_packets = 0.5;
    CHECK(limit_of(routed_gups(missing), "processor").si() == Approx(8 / (7 + 1.5 * 0.75 * 4 + 0.5 * 8)));
    check_consistent(routed_gups(missing));
    RoutedGups few = routed_inputs();  // updates, a packet
    few.per_run = seconds(30);
    few.updates_of_rank = 10;
    few.alone = 2;
    CHECK(limit_of(routed_gups(few), "processor").si() == Approx(8 / (7 + 30 / 10.0 + 2 / 4.0)));
    check_consistent(routed_gups(few));
}

TEST_CASE("routed: more of any cost is slower, a fast network leaves the processors alone") {
    const Rate rate = routed_gups(routed_inputs()).rate;
    using Cost = Time RoutedGups::*;
    for (const Cost cost : {Cost(&RoutedGups::update), &RoutedGups::per_update, &RoutedGups::per_packet}) {
        RoutedGups dearer = routed_inputs();
        dearer.*cost *= 1.1;
        CHECK(routed_gups(dearer).rate < rate);
    }
    RoutedGups fast = routed_inputs();
    fast.network.link *= 1e12;
    CHECK(routed_gups(fast).rate.si() == Approx(8.0 / 7));
    RoutedGups lone = routed_inputs();
    lone.network.nodes = 1;
    CHECK(routed_gups(lone).rate == Rate(8.0 / 7));
    CHECK(routed_gups(lone).estimate == "the tightest bound: nothing to queue for");
}

TEST_CASE("routed: the end of a run is a term beside what processors and network queue for") {
    const Prediction before = routed_gups(routed_inputs());
    RoutedGups inputs = routed_inputs();
    inputs.end_of_run = seconds(3);
    const Prediction ended = routed_gups(inputs);
    CHECK(ended.rate.si() == Approx(1 / (1 / before.rate.si() + 3 / inputs.workers)));
    CHECK(term_of(ended, "end of run").si() == 3);
    check_consistent(ended);
    // Of few updates on a machine that was not calibrated; of many it is nothing.
    const Machine machine = load_machine("bluegene-l");
    GupsQuery query = gups_query(GupsCode::routed, 64);
    query.updates = 6400;
    const double few = predict_gups(machine, query).rate.si();
    query.updates = 6.4e9;
    CHECK(few < 0.75 * predict_gups(machine, query).rate.si());
}

TEST_CASE("shapes to tune: the usual one first, no other network, no dimension beyond a bucket, each once") {
    using Shapes = std::vector<std::vector<int>>;
    GupsQuery query{.variant = GupsCode::routed, .nodes = 64};
    const Placement usual = place(load_machine("bluegene-l"), query);
    const Shapes shapes = routed_shapes(usual);
    CHECK(shapes.front() == usual.shape);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        CHECK(std::ranges::count(shapes, shapes[i]) == 1);
        CHECK((i == 0 || shapes[i].size() != 3));  // the torus of the nodes is the network's
    }
    CHECK(std::ranges::find(shapes, std::vector<int>{64}) != shapes.end());
    CHECK(std::ranges::find(shapes, std::vector<int>{2, 2, 4, 4}) != shapes.end());
    query.ranks_per_node = 2;
    const Shapes of_pairs = routed_shapes(place(load_machine("bluegene-l"), query));
    for (const std::vector<int>& shape : {std::vector<int>{8, 16}, std::vector<int>{16, 8}}) {
        CHECK(std::ranges::count(of_pairs, shape) == 1);
    }
    const std::vector<int> buckets = routed_buckets(usual.shape);
    CHECK(buckets.front() == routed_bucket(usual.shape));
    CHECK(buckets.back() == 1);
    for (std::size_t i = 1; i < buckets.size(); ++i) CHECK(buckets[i] == buckets[i - 1] / 2);
}

}  // namespace narrows
