#include <algorithm>
#include <catch2/catch.hpp>

#include "data/library.hpp"
#include "model/gups/bounds.hpp"
#include "model/gups/naive.hpp"
#include "model/gups/routed.hpp"
#include "model/gups/shmem.hpp"
#include "model/path/protocol.hpp"
#include "model/read_costs.hpp"
#include "predictions.hpp"
#include "tests/error_of.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Machine bluegene() {
    return load_machine("bluegene-l");
}

// The machine without everything at and below `path`.
Machine without(Machine machine, const std::string& path) {
    std::erase_if(machine.parameters,
                  [&path](const Parameter& p) { return p.path == path || p.path.starts_with(path + "."); });
    return machine;
}

GupsQuery shaped(std::int64_t nodes, std::vector<int> shape) {
    GupsQuery query = gups_query(GupsCode::routed, nodes);
    query.shape = std::move(shape);
    return query;
}

std::string prediction_error(const Machine& machine, const GupsQuery& query) {
    return error_of([&] { predict_gups(machine, query); });
}

}  // namespace

TEST_CASE("a listed partition is taken as listed, a size between gets the most cubic shape of the next one's family") {
    const Machine machine = bluegene();
    CHECK(partition(machine, 32).spec() == "mesh 4x4x2");
    CHECK(partition(machine, 4096).spec() == "torus 8x32x16");  // not the most cubic one
    CHECK(partition(machine, 16).spec() == "mesh 4x2x2");
    CHECK(partition(machine, 100).spec() == "mesh 5x5x4");
    CHECK(partition(machine, 300).spec() == "torus 10x6x5");
    CHECK(partition(machine, 1000).spec() == "torus 10x10x10");
    CHECK(partition(machine, 1).nodes() == 1);
    for (const std::int64_t nodes : {1, 61, 300, 512, 1000, 65536}) CHECK(has_room(machine, nodes));
    CHECK_FALSE(has_room(machine, 67));   // a line
    CHECK_FALSE(has_room(machine, 134));  // 67x2x1
    CHECK(has_room(with_change(load_machine("torus-pod"), "network.topology", "hypercube 17"), 65536));
    // A part of a random network is none of its kind.
    const Machine random = with_change(load_machine("cluster-400g"), "network.topology", "jellyfish 64 degree=6");
    CHECK(network_of(random, 5).nodes() == 64);
    const Machine tofu = with_change(load_machine("torus-pod"), "network.topology", "tofu 5x4x3");
    CHECK(has_room(tofu, 24));
    CHECK_FALSE(has_room(tofu, 25));
    CHECK_FALSE(has_room(tofu, 84));  // 7x1x1
    CHECK(partition(load_machine("torus-pod"), 64).spec() == "torus 4x4x4");
    CHECK(partition(load_machine("torus-pod"), 4096).spec() == "torus 16x16x16");
    CHECK(partition(load_machine("cluster-400g"), 100).nodes() == 100);
}

TEST_CASE("a shape that is no network's own is of the ranks") {
    for (const char* spec : {"tofu 2x2x2", "hypercube 6"}) {
        Machine machine = with_change(bluegene(), "network.topology", spec);
        const auto nodes = static_cast<int>(parse_topology(spec).nodes());
        GupsQuery query = shaped(nodes, parse_topology(spec).shape());
        query.ranks_per_node = 1;
        std::ranges::reverse(query.shape);
        query.shape.front() *= query.shape.back();
        query.shape.back() = 1;
        CHECK(predict_gups(machine, query).rate.si() > 0);
    }
    // The whole of a machine has the network that its file says.
    const Machine part = with_change(load_machine("torus-pod"), "network.topology", "torus 6x6");
    GupsQuery whole = shaped(36, {36, 1});
    whole.ranks_per_node = 1;
    CHECK(place(part, whole).network.spec() == "torus 6x6");
    CHECK(place(part, whole).shape == whole.shape);
    GupsQuery many = gups_query(GupsCode::routed, 2);
    many.ranks_per_node = (std::int64_t{1} << 32) + 2;
    CHECK(prediction_error(load_machine("cluster-400g"), many) ==
          "4294967298 ranks a node are too many for a dimension of a shape: give fewer");
}

TEST_CASE("partitions that cannot be") {
    CHECK(error_of([] { partition(bluegene(), 0); }) == "0 nodes are impossible: give at least 1");
    CHECK(error_of([] { partition(bluegene(), -3); }) == "-3 nodes are impossible: give at least 1");
    CHECK(error_of([] { partition(without(bluegene(), "network"), 2); }) ==
          "machine 'bluegene-l' has no network for 2 nodes: choose one, such as 'torus 8x8x8', "
          "or add 'network.topology' to its file");
    CHECK(partition(without(bluegene(), "network"), 1).nodes() == 1);
}

TEST_CASE("ranks on nodes: the first mode, a named mode, as many as asked") {
    const Machine machine = bluegene();
    GupsQuery query = gups_query(GupsCode::routed, 512);
    CHECK(place(machine, query).ranks() == 512);
    CHECK(place(machine, query).workers == 512);
    query.mode = "virtual-node";
    const Placement both = place(machine, query);
    CHECK(both.ranks() == 1024);
    CHECK(both.workers == 1024);
    CHECK(both.shape == std::vector{2, 8, 8, 8});  // the ranks of a node are one more dimension
    CHECK(both.network.spec() == "torus 8x8x8");
    query.mode.clear();
    query.ranks_per_node = 8;  // more than there are processors: they share
    CHECK(place(machine, query).ranks() == 4096);
    CHECK(place(machine, query).workers == 1024);
    query.variant = GupsCode::sequential;
    CHECK(place(machine, query).ranks_per_node == 1);
    CHECK(place(load_machine("cluster-400g"), gups_query(GupsCode::naive, 2)).ranks_per_node == 64);
}

TEST_CASE("a rank beside an idle processor has the table of both") {
    Machine machine = without(bluegene(), "compute.gups.update");
    for (const auto& [size, time] : {std::pair("16 MiB", 10e-9), {"32 MiB", 30e-9}}) {
        Parameter point;
        point.path = std::string("compute.gups.update.") + size;
        point.measure = {time, Dimension::time, "ns"};
        machine.parameters.push_back(point);
    }
    GupsQuery query = gups_query(GupsCode::sequential, 1);
    query.table = bytes(16 << 20);
    CHECK(predict_gups(machine, query).rate.si() == Approx(1 / 30e-9));
    query.table = bytes(8 << 20);
    CHECK(predict_gups(machine, query).rate.si() == Approx(1 / 10e-9));
    query.variant = GupsCode::routed;
    query.table = bytes(16 << 20);
    query.ranks_per_node = 2;
    const Prediction both = predict_gups(machine, query);
    const auto update = std::ranges::find(both.terms, "update", &Term::name);
    REQUIRE(update != both.terms.end());
    CHECK(update->time.si() == Approx(10e-9));
}

TEST_CASE("processors whose ranks are not as many as the others' wait for those that have most") {
    const auto busy = [](GupsCode code, std::int64_t ranks) {
        GupsQuery query = gups_query(code, 1);
        query.ranks_per_node = ranks;
        const Prediction made = predict_gups(bluegene(), query);
        double seconds = 0;
        for (const Term& term : made.terms) seconds += term.time.si();
        return made.bounds.front().limit.si() * seconds;
    };
    REQUIRE(place(bluegene(),
                  [] {
                      GupsQuery query = gups_query(GupsCode::naive, 1);
                      query.ranks_per_node = 3;
                      return query;
                  }())
                .workers == 2);
    for (const GupsCode code : {GupsCode::naive, GupsCode::bucketed, GupsCode::routed}) {
        CHECK(busy(code, 2) == Approx(2));
        CHECK(busy(code, 3) == Approx(1.5));  // two ranks and one
        CHECK(busy(code, 5) == Approx(5.0 / 3));
        CHECK(busy(code, 1024) == Approx(2));
    }
}

TEST_CASE("shapes of ranks and of nodes") {
    const Machine machine = bluegene();
    CHECK(place(machine, shaped(512, {})).shape == std::vector{8, 8, 8});
    const Placement nodes = place(machine, shaped(512, {16, 8, 4}));  // nodes: the network gets it too
    CHECK(nodes.shape == std::vector{16, 8, 4});
    CHECK(nodes.network.spec() == "torus 16x8x4");
    const Placement ranks = place(machine, shaped(512, {32, 16}));  // other dimensions: ranks alone
    CHECK(ranks.shape == std::vector{32, 16});
    CHECK(ranks.network.spec() == "torus 8x8x8");
    GupsQuery both = shaped(512, {16, 8, 4});
    both.mode = "virtual-node";
    CHECK(place(machine, both).shape == std::vector{2, 16, 8, 4});
    both.shape = {16, 8, 8};
    CHECK(place(machine, both).shape == std::vector{16, 8, 8});
    GupsQuery lone = gups_query(GupsCode::routed, 1);
    lone.ranks_per_node = 12;
    CHECK(place(machine, lone).shape == std::vector{3, 2, 2});
    CHECK(place(load_machine("cluster-400g"), gups_query(GupsCode::routed, 8)).shape == std::vector{64, 2, 2, 2});
}

TEST_CASE("a hypercube of ranks is routed along each of its dimensions") {
    const Machine machine = on_network(bluegene(), parse_topology("hypercube 10"));
    const Prediction prediction = predict_gups(machine, gups_query(GupsCode::routed, 1024));
    check_consistent(prediction);
    CHECK(place(machine, gups_query(GupsCode::routed, 1024)).shape == std::vector<int>(10, 2));
    CHECK(term_of(prediction, "route").si() == Approx(5 * 94.8 / 700e6));
    const Prediction on_torus = predict_gups(bluegene(), shaped(1024, std::vector<int>(10, 2)));
    CHECK(term_of(on_torus, "route").si() == Approx(5 * 94.8 / 700e6));
}

namespace {

Bound bound_of(const Prediction& prediction, std::string_view resource) {
    for (const Bound& bound : prediction.bounds) {
        if (name_of(bound.resource) == resource) return bound;
    }
    throw std::logic_error("no such bound");
}

}  // namespace

TEST_CASE("a network whose cuts were searched limits by what was proven of it") {
    SearchedNetwork searched{.name = "ring.txt", .nodes = 8};
    searched.pair_flow = 0.125;  // phi of a ring of eight
    searched.proof = "sparsest cut phi: exhaustive search";
    const Machine machine = on_network(bluegene(), searched);
    const Machine by_name = on_network(bluegene(), parse_topology("ring 8"));
    const GupsQuery query = gups_query(GupsCode::naive, 8);
    const Bound network = bound_of(predict_gups(machine, query), "network");
    CHECK(network.limit.si() == Approx(bound_of(predict_gups(by_name, query), "network").limit.si()));
    CHECK(network.source == "garg2006 (2)");
    CHECK(prediction_error(machine, gups_query(GupsCode::naive, 4)) ==
          "bluegene-l on ring.txt is a network of 8 nodes, whose cuts are known only for all of them: give -n 8");
    CHECK(network_of(machine, 4).nodes() == 8);  // messages between some of its nodes need no cut
    CHECK_THROWS_AS(network_of(machine, 9), InputError);
    CHECK_THROWS_WITH(with_change(machine, "network.topology", "ring 8"),
                      "'network.topology' cannot be ring 8: the cuts of machine 'bluegene-l on ring.txt' were searched "
                      "on another network; choose the topology with --network instead");
    CHECK(find(on_network(machine, parse_topology("ring 8")), "network.cut.nodes") == nullptr);
    CHECK(by_name.id == "bluegene-l on ring 8");
    CHECK(with_change(by_name, "network.topology", "torus 4x2").id == "bluegene-l on torus 4x2");
    searched.pair_flow /= 2;
    searched.by_flow = true;
    const Bound flow = bound_of(predict_gups(on_network(bluegene(), searched), query), "network");
    CHECK(flow.limit.si() == Approx(network.limit.si() / 2));
    CHECK(flow.formula == "N^2 * t * C / b");
}

TEST_CASE("a flow that is below every cut is the limit, and is called so") {
    const Machine machine = on_network(bluegene(), parse_topology("slim-fly 5"));
    const Bound bound = bound_of(predict_gups(machine, gups_query(GupsCode::naive, 50)), "network");
    CHECK(bound.source == "garg2006 (2) with the uniform flow t for phi");
    const Machine torus = on_network(bluegene(), parse_topology("torus 4x4"));
    CHECK(bound_of(predict_gups(torus, gups_query(GupsCode::naive, 16)), "network").source == "garg2006 (2)");
}

TEST_CASE("placements that cannot be") {
    const Machine machine = bluegene();
    CHECK(prediction_error(machine, shaped(512, {4, 4})) ==
          "shape 4x4 has 16 places, but there are 512 ranks: give a shape with as many");
    GupsQuery query = shaped(512, {4, 4});
    query.mode = "virtual-node";
    CHECK(prediction_error(machine, query) ==
          "shape 4x4 has 16 places, but there are 1024 ranks on 512 nodes: give a shape with as many");
    query.mode = "virtual";
    CHECK(prediction_error(machine, query) ==
          "machine 'bluegene-l' has no mode 'virtual' (it has: coprocessor, virtual-node)");
    query.mode = "virtual-nod";
    CHECK(prediction_error(machine, query) ==
          "machine 'bluegene-l' has no mode 'virtual-nod', did you mean 'virtual-node'? (it has: coprocessor, "
          "virtual-node)");
    CHECK(prediction_error(load_machine("torus-pod"), query) ==
          "machine 'torus-pod' has no modes: say how many ranks a node has");
    for (const std::int64_t ranks : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 62}) {
        GupsQuery many = gups_query(GupsCode::naive, 512);
        many.ranks_per_node = ranks;
        CHECK(prediction_error(machine, many) == std::to_string(ranks) +
                                                     " ranks a node on 512 nodes are impossible: give at least one "
                                                     "rank a node and at most 2^40 ranks in all");
    }
    CHECK(prediction_error(machine, gups_query(GupsCode::naive, 0)) == "0 nodes are impossible: give at least 1");
}

TEST_CASE("more nodes than the network has are refused with the remedy") {
    const Machine machine = bluegene();
    CHECK(prediction_error(machine, gups_query(GupsCode::naive, 70000)) ==
          "70000 nodes are more than the 65536 of 'torus 64x32x32': give a larger topology or set "
          "network.topology=..., such as 'torus 50x40x35'");
    CHECK(prediction_error(on_network(machine, parse_topology("fat-tree ports=4 levels=2")),
                           gups_query(GupsCode::naive, 17)) ==
          "17 nodes are more than the 8 of 'fat-tree ports=4 levels=2 taper=1:1': give a larger topology "
          "or set network.topology=..., written 'fat-tree ports=P levels=L [taper=D:U] [hosts=N]'");
    CHECK(prediction_error(on_network(machine, parse_topology("torus 4x4")), gups_query(GupsCode::naive, 17))
              .starts_with("17 nodes are more than the 16 of 'torus 4x4'"));
    check_consistent(predict_gups(machine, gups_query(GupsCode::naive, 60000)));  // a part of the machine
}

TEST_CASE("a shape or bucket that makes a rank hold more than 1024 updates is refused") {
    const Machine machine = bluegene();
    CHECK(prediction_error(machine, shaped(2048, {2048})) ==
          "the shape's sizes add up to 2048, but a rank may hold 1024 updates, one a bucket: give more dimensions of "
          "smaller sizes");
    check_consistent(predict_gups(machine, shaped(1024, {1024})));
    GupsQuery query = gups_query(GupsCode::routed, 512);
    query.bucket = 43;
    CHECK(prediction_error(machine, query) ==
          "a bucket of 43 updates is not possible: the shape needs 24 buckets, and a rank may hold 1024 updates, so "
          "give 1 to 42");
    query.bucket = 42;
    check_consistent(predict_gups(machine, query));
    GupsQuery naive = gups_query(GupsCode::naive, 2048);
    naive.bucket = 2;
    CHECK(prediction_error(machine, naive) ==
          "a bucket of 2 updates for each of 2048 ranks is not possible: a rank may hold 1024 updates, so give a "
          "bucket of 1, at most 1024 ranks, or the routed variant");
    naive.bucket = 1;
    check_consistent(predict_gups(machine, naive));
}

TEST_CASE("nodes on another machine's network send that machine's messages, framing and calls") {
    const Machine xt3 = load_machine("xt3-pgas-nic");
    const Machine composed = on_network(bluegene(), xt3);
    const Prediction prediction = predict_gups(composed, gups_query(GupsCode::naive, 32));
    const Data bytes_on_link = (bytes(8) + bytes(28)) * (72.0 / 64 * 21 / 16);
    NetworkShare share;
    share.nodes = 32;
    share.phi = partition(xt3, 32).phi_value();
    share.link = bandwidth_at(xt3, "network.link.bandwidth");
    CHECK(limit_of(prediction, "network").si() == Approx(cut_bound(share, bytes_on_link).si()));
    CHECK(term_of(prediction, "send").si() == Approx(52 / 2e9 * 31 / 32));  // cycles of the network's processors
    CHECK(limit_of(prediction, "host interface").si() == Approx(32 * 2.3e9 / ((8 + 16) * 72.0 / 64) / (31.0 / 32)));
    const Machine back = on_network(xt3, bluegene());
    CHECK(message_protocols(back) == std::vector<std::string>{"mpi", "raw", "packets"});
    CHECK(message_path(back, "mpi", bytes(8)).stages.back().overhead.si() == Approx(1271 / 700e6));
    CHECK(inside_protocols(back).front() == "inside-put");
}

TEST_CASE("packets that change processors within a node add cache lines, on a network of another machine too") {
    Machine machine = with_change(bluegene(), "node.core_distance", "100 ns");
    machine = with_change(machine, "compute.gups.route.crossing.packet", "3");
    GupsQuery query = gups_query(GupsCode::routed, 32);
    query.mode = "virtual-node";
    const auto crossing = [&query](const Machine& with) {
        const Prediction prediction = predict_gups(with, query);
        const Prediction none = predict_gups(without(with, "compute.gups.route.crossing"), query);
        const double packed = routed_inputs(with, query).updates_per_packet;
        return (term_of(prediction, "packets") - term_of(none, "packets")).si() * packed;
    };
    const double each = 3 * 100e-9 * (1 - 1.0 / 2);  // of two processors of a node
    CHECK(crossing(machine) == Approx(each));
    CHECK(crossing(on_network(machine, load_machine("xt3-pgas-nic"))) == Approx(each));
    CHECK(crossing(without(machine, "node.core_distance")) == 0);
    query.mode = "coprocessor";
    CHECK(crossing(machine) == 0);
}

TEST_CASE("a path without a framing of its own gets the link's, at home") {
    Machine machine = bluegene();
    const Parameter once = *find(machine, "protocols.mpi.mpi");
    for (Parameter& parameter : machine.parameters) {
        if (parameter.path != "paths.mpi.link.framing.header") continue;
        parameter = once;
        parameter.path = "paths.mpi.link.times";
    }
    machine = without(std::move(machine), "paths.mpi.link.framing");
    const Prediction none = predict_gups(machine, gups_query(GupsCode::naive, 512));
    const Machine framed = with_change(machine, "network.link.framing.header", "8 B");
    const Prediction some = predict_gups(framed, gups_query(GupsCode::naive, 512));
    CHECK(limit_of(none, "network") / limit_of(some, "network") == Approx(2));
}

TEST_CASE("variants by name, and those a machine can be asked for") {
    for (const char* name : {"sequential", "naive", "bucketed", "routed", "shmem"}) {
        CHECK(name_of(gups_variant(name)) == name);
    }
    CHECK(error_of([] { gups_variant("rooted"); }) ==
          "gups has no variant 'rooted', did you mean 'routed'? (it has: naive, bucketed, routed, shmem, sequential)");
    using enum GupsCode;
    CHECK(gups_variants(bluegene()) == std::vector{naive, bucketed, routed, sequential});
    CHECK(gups_variants(load_machine("xt3-pgas-nic")) == std::vector{shmem, sequential});
    CHECK(gups_variants(Machine()).empty());
}

TEST_CASE("every variant that a shipped machine offers can be predicted, at every size") {
    for (const std::string& id : machine_ids()) {
        const Machine machine = load_machine(id);
        for (const GupsCode variant : gups_variants(machine)) {
            for (const std::int64_t nodes : {1, 2, 3, 64, 1000, 4096, 65536}) {
                CAPTURE(id, name_of(variant), nodes);
                if (nodes > parse_topology(text_at(machine, "network.topology")).nodes()) continue;
                check_consistent(predict_gups(machine, gups_query(variant, nodes)));
            }
        }
    }
}

TEST_CASE("costs that a machine lacks are named, with what to write") {
    CHECK(prediction_error(without(bluegene(), "compute.gups.update"), gups_query(GupsCode::naive, 32)) ==
          "machine 'bluegene-l' has no 'compute.gups.update' (generating a random number and updating a table word, by "
          "the size of the table of a node whose processors all work): add it to its file or set it, a time such as "
          "'25 ns' or "
          "'86 cycles', or a map "
          "from sizes to times");
    CHECK(prediction_error(without(bluegene(), "network.link.bandwidth"), gups_query(GupsCode::naive, 32)) ==
          "machine 'bluegene-l' has no 'network.link.bandwidth' (a link, each way): add it to its file or set it, a "
          "bandwidth "
          "such as '1.4 Gbit/s'");
    GupsQuery query = gups_query(GupsCode::naive, 32);
    query.messaging = "mpl";
    CHECK(prediction_error(bluegene(), query) ==
          "machine 'bluegene-l' has no protocol 'mpl', did you mean 'mpi'? (it has: mpi, raw)");
    const Machine deaf = without(without(bluegene(), "paths.mpi.receive"), "protocols.raw");
    CHECK(
        prediction_error(deaf, gups_query(GupsCode::naive, 32)) ==
        "machine 'bluegene-l': protocol 'mpi' does not say what its receiver does: add a stage behind the link to its "
        "path, such as 'receive: {overhead: 250 ns}'");
}

TEST_CASE("default table and updates are HPCC's") {
    constexpr double mebi = 1024.0 * 1024;
    CHECK(default_table(1) == bytes(32 * mebi));
    CHECK(default_table(4096) == bytes(32 * mebi));
    CHECK(default_table(65536) == bytes(512 * mebi));
    CHECK(default_table(40000) == bytes(512 * mebi));  // HPCC's tables are powers of two
}

TEST_CASE("my nodes on that network: messages between nodes are the network's, all else is mine") {
    const Machine cluster = load_machine("cluster-400g");
    const Machine composed = on_network(cluster, bluegene());
    CHECK(composed.id == "cluster-400g on bluegene-l");
    CHECK(composed.composed);
    CHECK(text_at(composed, "network.topology") == "torus 64x32x32");
    CHECK(text_at(composed, "network.partitions.32") == "mesh 4x4x2");
    CHECK(bandwidth_at(composed, "network.link.bandwidth").si() == Approx(0.175e9));
    CHECK(rate_at(composed, "node.clock") == rate_at(cluster, "node.clock"));
    CHECK_FALSE(has(composed, "host_interface"));  // the network's machine has none
    CHECK_FALSE(contradiction_in(composed));
    GupsQuery query = gups_query(GupsCode::naive, 512);
    const Prediction prediction = predict_gups(composed, query);
    check_consistent(prediction);
    CHECK(prediction.workers == 512 * 64);
    CHECK(limit_of(prediction, "network") == limit_of(predict_gups(bluegene(), query), "network"));
    // 511 of 512 ranks' messages leave the node and take Blue Gene/L's calls, 63 of 64 others those of the cluster.
    const double remote = 32767.0 / 32768, leaving = 511.0 / 512;
    CHECK(term_of(prediction, "send").si() == Approx(leaving * 1544 / 700e6 + (remote - leaving) * 250.8e-9));
    GupsQuery routed = gups_query(GupsCode::routed, 512);
    CHECK(place(composed, routed).shape == std::vector{64, 8, 8, 8});
    CHECK(routed_framing(composed, routed) == read_framing(bluegene(), "paths.raw.link.framing"));
    const RoutedGups inputs = routed_inputs(composed, routed);
    CHECK(inputs.per_packet.si() ==
          Approx((3 * 7.0 / 8 * 698 / 700e6 + 63.0 / 64 * 200e-9) / (3 * 7.0 / 8 + 63.0 / 64)));
    routed.messaging = "raw";  // a protocol of the network's machine
    check_consistent(predict_gups(composed, routed));
}

TEST_CASE("a packet takes more for each cache line beyond its first where the machine says so") {
    const GupsQuery query = gups_query(GupsCode::routed, 512);
    Parameter line;
    line.path = "compute.gups.route.per_line";
    line.measure = {100e-9, Dimension::time, "ns"};
    Machine with_lines = bluegene();
    with_lines.parameters.push_back(line);
    const RoutedGups without = routed_inputs(bluegene(), query);
    const double lines = lines_of_packet(static_cast<int>(without.updates_per_packet));
    REQUIRE(lines > 1);
    CHECK(routed_inputs(with_lines, query).per_packet.si() == Approx(without.per_packet.si() + (lines - 1) * 100e-9));
}

TEST_CASE("a path keeps what it has of its machine's nodes where these do not say it") {
    Machine nodes = bluegene();
    std::erase_if(nodes.parameters, [](const Parameter& one) { return one.path == "node.memory.latency"; });
    const Machine composed = on_network(nodes, load_machine("xt3-pgas-nic"));
    const Path put = message_path(composed, "put", bytes(8));
    const auto memory = std::ranges::find(put.stages, "memory", &Stage::server);
    REQUIRE(memory != put.stages.end());
    CHECK(memory->latency.si() == Approx(150 / 2e9));  // cycles of the XT3's clock
    const Machine own = on_network(bluegene(), load_machine("xt3-pgas-nic"));
    CHECK(time_at(own, "node.memory.latency").si() == Approx(86 / 700e6));
    CHECK(find(own, "paths.notice.memory.latency") == nullptr);
}

TEST_CASE("a network without messages between nodes cannot be composed with") {
    const Machine blade = load_machine("cell-blade");
    CHECK(error_of([&] { on_network(bluegene(), blade); }) ==
          "machine 'cell-blade' describes no message between nodes: add 'network.link', a path with a 'link' below "
          "'paths' and a protocol that takes it below 'protocols' to its file, or choose a machine that has them");
    CHECK(error_of([&] {
              on_network(blade, parse_topology("torus 4x4"));
          }).starts_with("machine 'cell-blade' describes no"));
}

TEST_CASE("my nodes in another topology keep their links and framing") {
    const Machine cluster = load_machine("cluster-400g");
    const Machine composed = on_network(cluster, parse_topology("torus 16x16x16"));
    CHECK(composed.id == "cluster-400g on torus 16x16x16");
    CHECK(bandwidth_at(composed, "network.link.bandwidth") == bandwidth_at(cluster, "network.link.bandwidth"));
    check_consistent(predict_gups(composed, gups_query(GupsCode::routed, 512)));
    const Machine other = on_network(bluegene(), parse_topology("mesh 8x8x8"));
    CHECK(partition(other, 32).spec() == "mesh 4x4x2");
    CHECK_FALSE(has(other, "network.partitions"));
}

TEST_CASE("a fat tree's hosts inject each hop that leaves them, and a torus leaves that to the cut") {
    const Machine cluster = load_machine("cluster-400g");
    const Prediction prediction = predict_gups(cluster, gups_query(GupsCode::routed, 1024));
    check_consistent(prediction);
    CHECK(limit_of(prediction, "injection") < limit_of(prediction, "network"));
    const Prediction naive = predict_gups(cluster, gups_query(GupsCode::naive, 1024));
    CHECK(limit_of(naive, "injection").si() == Approx(1024 * 50e9 / ((66 + 8) * 66.0 / 64) / (1023.0 / 1024)));
    CHECK(predict_gups(bluegene(), gups_query(GupsCode::routed, 1024)).bounds.size() == 2);
}

TEST_CASE("packets and messages that the end of a run sends half filled load links and interfaces as they are") {
    const Machine cluster = load_machine("cluster-400g");
    const double remote = 15.0 / 16;
    const auto injected = [&](double messages) {  // of an update
        return 16 * 50e9 / ((66 * messages + 8) * 66.0 / 64) / remote;
    };
    GupsQuery query = shaped(16, {16});
    query.ranks_per_node = 1;
    query.bucket = 64;
    query.updates = 16 * 100;  // some 6 for each peer: no packet is ever full
    const double finishing = finishing_packets(query.shape, 64, 100);
    CHECK(finishing / remote > 5 * (1.0 / 64));
    CHECK(limit_of(predict_gups(cluster, query), "injection").si() == Approx(injected(1.0 / 64 + finishing / remote)));
    query.updates = 1e12;
    CHECK(limit_of(predict_gups(cluster, query), "injection").si() == Approx(injected(1.0 / 64)));
    query.variant = GupsCode::naive;
    query.shape = {};
    query.updates = 64 * 16 * 16;
    CHECK(limit_of(predict_gups(cluster, query), "injection").si() ==
          Approx(injected(naive_messages(64, 16, *query.updates))));
}

}  // namespace narrows
