#include "model/wavefront/workload.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "data/library.hpp"
#include "model/wavefront/residuals.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::WithinRel;

/// pakin2009's deck: 5 x 5 x 400 cells a rank.
SweepQuery scaled_deck(int wide, int high) {
    SweepQuery query{.cells = {5 * wide, 5 * high, 400}, .grid = {wide, high}};
    return query;
}

double share_of(int wide, int high) {
    const Machine machine = load_machine("roadrunner");
    const SweepQuery query = scaled_deck(wide, high);
    return communication_share(sweep_wavefront(machine, query), sweep3d_time(machine, query));
}

Parameter parameter(const std::string& path, const std::string& value) {
    Parameter made;
    made.path = path;
    made.measure = parse_measure(value);
    return made;
}

/// A machine with a grind time and what else is given.
Machine machine_with(std::vector<Parameter> parameters) {
    Machine machine;
    machine.id = "made";
    machine.parameters = {parameter("compute.sweep3d.grind", "10 ns")};
    machine.parameters.insert(machine.parameters.end(), parameters.begin(), parameters.end());
    return machine;
}

Parameter named(const std::string& path, const std::string& text) {
    Parameter made;
    made.path = path;
    made.text = text;
    return made;
}

/// The same with one level, whose messages go by the path `all`.
Machine with_level(const std::vector<Parameter>& parameters) {
    std::vector<Parameter> all = {named("levels.all.protocol", "all"), parameter("protocols.all.all", "1")};
    all.insert(all.end(), parameters.begin(), parameters.end());
    return machine_with(all);
}

}  // namespace

TEST_CASE("pakin2009: a rank has 320 blocks an iteration and messages of 2400 bytes") {
    const SweepQuery query = scaled_deck(4, 4);
    CHECK(8 * query.blocks() == 320);
    const Wavefront wavefront = sweep_wavefront(load_machine("roadrunner"), query);
    CHECK(wavefront.cell.si() * 25 == Approx(60e-6));
    CHECK(wavefront.hop(SweepAxis::i, 5, 0).bytes.si() == Approx(2400 / 25.6e9));
    CHECK(wavefront.hop(SweepAxis::i, 5, 0).synchronous);
    CHECK(wavefront.levels == std::vector<int>{8, 16});
    CHECK(wavefront.gateways.ranks == 8);
}

TEST_CASE("pakin2009: communication takes 4.1 % at 16 ranks and 71 % at 64") {
    CHECK(std::abs(share_of(4, 4) - 0.041) < 0.005);
    CHECK(share_of(8, 4) > 0.5);
    CHECK(std::abs(share_of(8, 8) - 0.71) < 0.03);
}

TEST_CASE("Without neighbours a sweep is its cells and angles") {
    SweepQuery query;
    const double cell_angles = 50.0 * 50 * 50 * 48;
    CHECK(sweep3d_time(machine_with({}), query).si() == Approx(cell_angles * 10e-9));
    query.moments = 1;
    const Machine isotropic = machine_with({parameter("compute.sweep3d.grind_isotropic", "4 ns")});
    CHECK(sweep3d_time(isotropic, query).si() == Approx(cell_angles * 4e-9));
    CHECK(sweep3d_time(machine_with({}), query).si() == Approx(cell_angles * 10e-9));
}

TEST_CASE("Messages cost what levels say or a protocol") {
    SweepQuery query{.grid = {2, 1}, .processors = 2};
    const double size = 10.0 * 6 * 8 * 50;
    const auto hop = [&](const Machine& machine) {
        const Wavefront wavefront = sweep_wavefront(machine, query);
        return wavefront.hop(SweepAxis::i, 50, wavefront.levels.size());
    };
    const HopCost near =
        hop(with_level({parameter("paths.all.send.overhead", "1 us"), parameter("paths.all.flight.latency", "3 us"),
                        parameter("paths.all.flight.bandwidth", "1 GB/s")}));
    CHECK(near.latency.si() == Approx(3e-6));
    CHECK(near.send.si() == Approx(1e-6));
    CHECK(near.bytes.si() == Approx(size / 1e9));
    CHECK_FALSE(near.synchronous);
    const HopCost asked =
        hop(with_level({parameter("paths.all.request.latency", "1 us"), parameter("paths.all.send.overhead", "2 us"),
                        parameter("paths.all.link.latency", "3 us")}));
    CHECK(asked.synchronous);
    CHECK(asked.request.si() == Approx(1e-6));
    CHECK(asked.send.si() == Approx(2e-6));
    CHECK(asked.latency.si() == Approx(3e-6));

    const std::vector<Parameter> put = {parameter("paths.put.wire.overhead", "2 us"),
                                        parameter("paths.put.wire.bandwidth", "2 GB/s"),
                                        parameter("protocols.put.put", "1")};
    const HopCost passed = hop(machine_with(put));
    CHECK(passed.latency.si() == Approx(2e-6));
    CHECK(passed.bytes.si() == Approx(size / 2e9));

    // Messages of 24,000 bytes go by what the protocol reaches to at 2 KiB.
    std::vector<Parameter> reaching = put;
    for (const auto& [path, value] :
         {std::pair{"paths.get.wire.overhead", "5 us"}, std::pair{"paths.get.wire.bandwidth", "4 GB/s"},
          std::pair{"protocols.get.get", "1"}, std::pair{"reach.put.get", "2 KiB"}}) {
        reaching.push_back(parameter(path, value));
    }
    query.protocol = "put";
    CHECK(hop(machine_with(reaching)).latency.si() == Approx(5e-6));
    CHECK(hop(machine_with(reaching)).bytes.si() == Approx(size / 4e9));
    query.protocol.clear();

    // A protocol that is named is that of all messages, near or far.
    query.protocol = "same-cell";
    const Wavefront named = sweep_wavefront(load_machine("roadrunner"), query);
    CHECK(named.levels.empty());
    CHECK(named.gateways.ranks == 0);
    query.protocol.clear();

    const HopCost sent =
        hop(machine_with({parameter("paths.mpi.send.overhead", "5 us"), parameter("paths.mpi.link.times", "1"),
                          parameter("paths.mpi.receive.overhead", "6 us"), parameter("protocols.mpi.mpi", "1"),
                          parameter("network.link.bandwidth", "1 GB/s"), parameter("network.link.latency", "7 us")}));
    CHECK(sent.send.si() == Approx(5e-6));
    CHECK(sent.receive.si() == Approx(6e-6));
    CHECK(sent.latency.si() == Approx(7e-6));
    CHECK(sent.bytes.si() == Approx(size / 1e9));
}

TEST_CASE("A machine that lacks what a sweep needs says so") {
    SweepQuery query;
    query.grid = {2, 1};
    CHECK_THROWS_WITH(sweep3d_time(machine_with({}), query),
                      Contains("does not say what messages cost: add 'paths' and 'protocols'"));
    CHECK_THROWS_WITH(sweep3d_time(load_machine("bluegene-l"), query), Contains("compute.sweep3d.grind"));
    CHECK_THROWS_WITH(sweep3d_time(machine_with({parameter("levels.near.ranks", "2")}), query),
                      Contains("leave out 'ranks' of 'levels.near'"));
    CHECK_THROWS_WITH(
        sweep3d_time(with_level({parameter("paths.all.send.overhead", "2 us"), named("levels.far.protocol", "all")}),
                     query),
        Contains("add 'ranks' to 'levels.all'"));
    CHECK_THROWS_WITH(sweep3d_time(with_level({parameter("paths.all.send.overhead", "2 us"),
                                               parameter("levels.all.ranks", "4"), parameter("levels.b.ranks", "4"),
                                               named("levels.b.protocol", "all"), named("levels.c.protocol", "all")}),
                                   query),
                      Contains("list levels by increasing 'ranks'"));
    CHECK_THROWS_WITH(
        sweep3d_time(machine_with({parameter("levels.a.ranks", "4"), named("levels.b.protocol", "all")}), query),
        Contains("has no 'levels.a.protocol'"));
    Machine gateways = with_level({parameter("paths.all.send.overhead", "2 us"), parameter("gateways.ranks", "2")});
    CHECK_THROWS_WITH(sweep3d_time(gateways, query),
                      Contains("messages of level 'all' pass gateways, but protocol 'all' has none"));
}

TEST_CASE("A block costs what its shape does, and more where the deck is large") {
    Machine machine = machine_with({parameter("compute.sweep3d.blocks.6.cell", "9 ns"),
                                    parameter("compute.sweep3d.blocks.6.row", "5 ns"),
                                    parameter("compute.sweep3d.blocks.6.start", "40 ns"),
                                    parameter("compute.sweep3d.blocks.6-isotropic.cell", "4 ns"),
                                    parameter("compute.sweep3d.blocks.6.flux.1 MiB", "0 ns"),
                                    parameter("compute.sweep3d.blocks.6.flux.4 MiB", "2 ns"),
                                    parameter("compute.sweep3d.blocks.6-isotropic.flux.1 MiB", "1 ns"),
                                    parameter("compute.sweep3d.blocks.6-isotropic.flux.4 MiB", "2 ns")});
    SweepQuery query;
    query.cells = {16, 16, 32};  // 512 KiB of flux
    query.planes = 4;
    const double small = 40e-9 + 4 * 16 * (5e-9 + 16 * 9e-9);
    CHECK_THAT(sweep_computing(machine, query).compute(16, 16).si(), WithinRel(small, 1e-9));
    query.cells = {64, 64, 32};  // 8 MiB
    CHECK_THAT(sweep_computing(machine, query).compute(16, 16).si(),
               WithinRel(small + 4 * 256 * (9.0 / 8) * 2e-9, 1e-9));
    CHECK(flux_of_processor(query) == bytes(8 << 20));
    query.moments = 1;  // 2 MiB, half way between in the logarithm
    CHECK_THAT(sweep_computing(machine, query).compute(1, 1).si(), WithinRel(4 * (4e-9 + 9.0 / 8 * 1.5e-9), 1e-9));
    query.angle_block = 3;
    CHECK_THROWS_WITH(sweep_computing(machine, query),
                      "machine 'made' has no blocks of 3 angles with 1 moment (it has: 6, 6-isotropic)");
}

TEST_CASE("What comes once a column or an iteration is shared by the blocks of a column") {
    const Machine machine =
        machine_with({parameter("compute.sweep3d.blocks.3.cell", "9 ns"),
                      parameter("compute.sweep3d.blocks.3.column", "6 ns"), parameter("compute.sweep3d.end", "8 ns")});
    SweepQuery query{.cells = {1, 1, 2}, .planes = 1, .angle_block = 3};
    const auto iteration = [&] { return sweep3d_time(machine, query).si(); };
    query.angles = 3;
    CHECK_THAT(iteration(), WithinRel(8 * (2 * 9e-9 + 6e-9) + 2 * 8e-9, 1e-9));
    query.angles = 6;
    CHECK_THAT(iteration(), WithinRel(16 * (2 * 9e-9 + 6e-9) + 2 * 8e-9, 1e-9));
    query.planes = 2;
    CHECK_THAT(iteration(), WithinRel(16 * (2 * 9e-9 + 6e-9) + 2 * 8e-9, 1e-9));
}

TEST_CASE("What runs of the calibration took beside the formulas is in predictions of one node") {
    Machine machine = with_level({parameter("paths.all.send.overhead", "1 us")});
    SweepQuery query;
    query.grid = {2, 2};
    query.ranks_per_node = query.processors = 4;
    const Time formulas = sweep3d_time(machine, query);
    MeasuredResiduals measured{.name = sweep_residuals,
                               .points = {{values_of(residual_variables(machine, query)), std::log(1.25)}}};
    measured.scales.assign(measured.points[0].at.size(), 1);
    measured.mean = std::log(1.25);
    measured.spread = 0.1;
    measured.noise = 0.02;
    machine.residuals = {ResidualSurface(measured)};
    const TimePrediction prediction = predict_sweep3d(machine, query);
    CHECK_THAT(prediction.time.si(), WithinRel(1.25 * formulas.si(), 1e-9));
    CHECK_THAT(prediction.beside.factor, WithinRel(1.25, 1e-9));
    Time sum;
    for (const NamedTime& term : prediction.terms) sum += term.time;
    CHECK_THAT(sum.si(), WithinRel(prediction.time.si(), 1e-9));
    CHECK(sweep3d_time(machine, query) == prediction.time);
    REQUIRE(prediction.low);
    CHECK_THAT(*prediction.high / prediction.time, WithinRel(prediction.time / *prediction.low, 1e-9));
    CHECK(*prediction.high > prediction.time * 1.02);
    query.ranks_per_node = query.processors = 2;
    CHECK(predict_sweep3d(machine, query).beside.sessions == 0);
    query.ranks_per_node = query.processors = 4;
    query.protocol = "all";
    CHECK(sweep3d_time(machine, query) == formulas);
}

TEST_CASE("Ranks take turns where a node has more of them than processors") {
    const Machine machine =
        machine_with({parameter("levels.same-processor.processors", "1"),
                      named("levels.same-processor.protocol", "core"), parameter("paths.core.request.latency", "0 ns"),
                      parameter("paths.core.send.overhead", "1 us"), parameter("paths.core.send.per_byte", "2 ns/B"),
                      parameter("paths.core.flight.times", "1"), parameter("protocols.core.core", "1"),
                      parameter("levels.same-node.processors", "2"), named("levels.same-node.protocol", "node"),
                      parameter("paths.node.request.latency", "3 us"), parameter("paths.node.send.overhead", "1 us"),
                      parameter("paths.node.flight.times", "1"), parameter("protocols.node.node", "1")});
    SweepQuery query{.grid = {4, 2}, .ranks_per_node = 8, .processors = 2};
    CHECK(query.used_processors() == 2);
    const Wavefront shared = sweep_wavefront(machine, query);
    CHECK(shared.shared.ranks == 8);
    CHECK(shared.hop(SweepAxis::i, 10, 0).send.si() == Approx(1e-6 + 4800 * 2e-9));
    CHECK(shared.hop(SweepAxis::i, 10, 1).request.si() == Approx(3e-6));
    CHECK(level_between(shared, 0, 3) == 0);
    CHECK(level_between(shared, 3, 4) == 1);
    double done = -1;
    const ReportProgress progress = [&done](double fraction) {
        CHECK(fraction >= done);
        CHECK(fraction <= 1);
        done = fraction;
    };
    CHECK(predict_sweep3d(machine, query, progress).estimate.find("taking turns") != std::string_view::npos);
    CHECK(done == 1);
    done = -1;
    predict_sweep3d(load_machine("roadrunner"), scaled_deck(8, 4), progress);
    CHECK(done == Approx(1));
    query.grid = {2, 1};
    query.ranks_per_node = 2;
    CHECK(sweep_wavefront(machine, query).shared.ranks == 0);
    CHECK(sweep_wavefront(machine, query).hop(SweepAxis::i, 10, 0).request.si() == Approx(3e-6));
    query.grid = {4, 1};
    CHECK_THROWS_WITH(sweep_wavefront(machine, query),
                      Contains("does not describe messages between nodes, and 4 ranks need several"));
    Machine cluster = machine;
    cluster.parameters.push_back(parameter("network.link.bandwidth", "1 GB/s"));
    cluster.parameters.push_back(parameter("network.link.latency", "5 us"));
    CHECK_THROWS_AS(sweep_wavefront(cluster, query), InputError);  // never at the price of shared memory
    cluster.parameters.push_back(parameter("paths.wire.send.overhead", "2 us"));
    cluster.parameters.push_back(parameter("paths.wire.link.times", "1"));
    cluster.parameters.push_back(parameter("paths.wire.receive.overhead", "3 us"));
    cluster.parameters.push_back(parameter("protocols.mpi.wire", "1"));
    const HopCost far = sweep_wavefront(cluster, query).hop(SweepAxis::i, 10, 1);
    CHECK(far.send.si() == Approx(2e-6));
    CHECK(far.latency.si() == Approx(5e-6));
    CHECK(far.bytes.si() == Approx(4.8e-6));
    CHECK(far.receive.si() == Approx(3e-6));
    Parameter tree;
    tree.path = "network.topology";
    tree.text = "leaf-spine leaves=4 hosts=2 spines=1";
    cluster.parameters.push_back(tree);
    const Wavefront switched = sweep_wavefront(cluster, query);  // a node of two ranks, leaves of two nodes
    CHECK(switched.levels == std::vector{2, 4});
    CHECK(switched.hop(SweepAxis::i, 10, 1).latency.si() == Approx(2 * 5e-6));
    CHECK(switched.hop(SweepAxis::i, 10, 2).latency.si() == Approx(4 * 5e-6));
}

TEST_CASE("Ranks that do not fill their node have as many processors as it has") {
    const Machine machine =
        machine_with({parameter("levels.same-node.processors", "4"), named("levels.same-node.protocol", "node"),
                      parameter("paths.node.send.overhead", "1 us"), parameter("paths.node.flight.times", "1"),
                      parameter("protocols.node.node", "1")});
    SweepQuery query;
    query.grid = {2, 2};
    query.processors = query.ranks_per_node = 4;
    const Time full = sweep3d_time(machine, query);
    query.ranks_per_node = 8;
    CHECK_FALSE(query.shares_processors());
    CHECK(sweep3d_time(machine, query) == full);
    query.grid = {3, 2};
    CHECK(sweep_wavefront(machine, query).shared.taken == std::vector<int>{6});
}

TEST_CASE("Ends of a message inside a node are as busy as those of one that leaves it") {
    const auto with_link = [](const char* beside) {
        Machine machine = machine_with(
            {parameter("paths.wire.send.overhead", "2 us"), parameter("paths.wire.send.per_byte", "0.5 ns/B")});
        if (*beside != 0) machine.parameters.push_back(parameter(beside, "1"));
        machine.parameters.push_back(parameter("paths.wire.link.bandwidth", "1 GB/s"));
        machine.parameters.push_back(parameter("paths.wire.receive.overhead", "3 us"));
        machine.parameters.push_back(parameter("protocols.mpi.wire", "1"));
        return machine;
    };
    SweepQuery query;
    query.grid = {2, 1};
    query.ranks_per_node = query.processors = 2;
    const HopCost inside = sweep_wavefront(with_link(""), query).hop(SweepAxis::i, 10, 0);
    CHECK(inside.send.si() == Approx(2e-6 + 4800 * 0.5e-9));
    CHECK(inside.receive.si() == Approx(3e-6));
    CHECK(inside.latency == Time());
    // A stage that costs nothing changes nothing.
    CHECK(sweep3d_time(with_link("paths.wire.memory.times"), query) == sweep3d_time(with_link(""), query));
}

TEST_CASE("What others take of links counts on levels too") {
    Machine machine =
        with_level({parameter("paths.all.send.overhead", "2 us"), parameter("paths.all.link.bandwidth", "1 GB/s")});
    SweepQuery query;
    query.grid = {2, 1};
    const Time alone = sweep_wavefront(machine, query).hop(SweepAxis::i, 10, 0).bytes;
    query.background = 0.5;
    CHECK(sweep_wavefront(machine, query).hop(SweepAxis::i, 10, 0).bytes.si() == Approx(2 * alone.si()));
}

TEST_CASE("Processors that cannot be shared are told") {
    SweepQuery query = scaled_deck(8, 8);
    query.processors = 32;
    query.ranks_per_node = 64;
    CHECK_THROWS_WITH(sweep3d_time(load_machine("roadrunner"), query),
                      "machine 'roadrunner': ranks behind gateways do not share processors: give at most 32 a node");
    query.processors = 4;
    CHECK_THROWS_WITH(sweep3d_time(machine_with({parameter("levels.near.processors", "2")}), query),
                      "machine 'made': 'levels.near.processors' is 1, or all 4 of a node, not 2");
    // Without a level of its own a processor is as near as the nearest ranks.
    query = {};
    query.grid = {2, 2};
    query.ranks_per_node = 4;
    const Machine flat =
        with_level({parameter("paths.all.send.overhead", "1 us"), parameter("paths.all.flight.times", "1")});
    CHECK(sweep_wavefront(flat, query).hop(SweepAxis::j, 1, 0).send.si() == Approx(1e-6));
    CHECK(sweep3d_time(flat, query).si() > 0);
}

TEST_CASE("A deck that cannot be has its nearest choice in the message") {
    SweepQuery query;
    query.planes = 7;
    CHECK_THROWS_WITH(check(query), "7 planes a block do not divide 50: give 5");
    query = {};
    query.angle_block = 4;
    CHECK_THROWS_WITH(check(query), "4 angles a block do not divide 6: give 3");
    query = {};
    query.moments = 2;
    CHECK_THROWS_WITH(check(query), "2 flux moments: scattering is isotropic (1) or linear (4): give 1");
    query = {};
    query.grid = {51, 1};
    CHECK_THROWS_WITH(check(query), "51 ranks along I do not fit its 50 cells: give 1 to 50");
    query.cells = {100000, 100000, 10};
    query.grid = {100000, 100000};
    CHECK_THROWS_WITH(check(query), "10000000000 ranks are too many to evaluate: give at most 16777216");
    query = {};
    query.cells = {256, 256, 100000};
    query.grid = {256, 256};
    query.planes = 10;
    CHECK_NOTHROW(check(query));
    query.processors = 2;  // ranks that take turns are simulated, which takes longer
    query.ranks_per_node = 4;
    CHECK_THROWS_WITH(
        check(query),
        Catch::Contains("blocks on 65536 ranks are too many to evaluate: give larger blocks or fewer ranks"));
}

TEST_CASE("A sweep's prediction has terms that sum to it and an interval around it") {
    const TimePrediction prediction = predict_sweep3d(load_machine("roadrunner"), scaled_deck(8, 4));
    double sum = 0;
    for (const NamedTime& term : prediction.terms) sum += term.time.si();
    CHECK_THAT(sum, WithinRel(prediction.time.si(), 1e-9));
    REQUIRE((prediction.low && prediction.high));
    CHECK(*prediction.low < prediction.time);
    CHECK(*prediction.high > prediction.time);
    CHECK(prediction.bottleneck != "nothing");
}

}  // namespace narrows
