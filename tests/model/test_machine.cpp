#include <catch2/catch.hpp>

#include "model/machine.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Parameter parameter(const std::string& path, const std::string& value) {
    Parameter result;
    result.path = path;
    result.measure = parse_measure(value);
    return result;
}

Machine small_machine() {
    Machine machine;
    machine.id = "small";
    machine.name = "Small";
    machine.source = "assumed: for tests";
    machine.parameters = {parameter("node.clock", "2 GHz"),
                          parameter("node.processors", "4"),
                          parameter("compute.gups.update.1 MiB", "4 ns"),
                          parameter("compute.gups.update.64 KiB", "2 ns"),
                          parameter("compute.gups.update.16 MiB", "20 cycles"),
                          parameter("paths.mpi.send.overhead", "100 cycles"),
                          parameter("paths.mpi.send.per_byte", "0.5 cycles/B"),
                          parameter("paths.mpi.link.framing.header", "48 B"),
                          parameter("paths.mpi.link.framing.packet", "256 B"),
                          parameter("paths.raw.send.overhead", "10 ns"),
                          parameter("network.link.bandwidth", "1.4 Gbit/s")};
    machine.parameters[5].interval = Interval{90, 110};
    machine.parameters[5].source = "calibrated";
    Parameter topology;
    topology.path = "network.topology";
    topology.text = "torus 4x4x4";
    machine.parameters.push_back(topology);
    return machine;
}

}  // namespace

TEST_CASE("a curve below a name that the machine has takes points and no others") {
    Machine machine = small_machine();
    machine.parameters.push_back(parameter("compute.sweep3d.blocks.6.cell", "9 ns"));
    const std::string flux = "compute.sweep3d.blocks.6.flux";
    const Machine one = with_change(machine, flux + ".1 MiB", "2 ns");
    CHECK(curve_at(one, flux).at(bytes(1 << 20)) == seconds(2e-9));
    const Machine two = with_change(one, flux + ".4 MiB", "4 ns");
    CHECK(curve_at(two, flux).at(bytes(1 << 22)) == seconds(4e-9));
    CHECK_THROWS_WITH(with_change(one, flux + ".1024 KiB", "2 ns"),
                      Catch::Matchers::Contains("has a point for 1 MiB already"));
    CHECK_THROWS_AS(with_change(one, flux, "2 ns"), InputError);
    CHECK_THROWS_AS(with_change(machine, "compute.sweep3d.blocks.3.flux.1 MiB", "2 ns"), InputError);
    CHECK(time_at(with_change(machine, flux, "2 ns"), flux) == seconds(2e-9));
}

TEST_CASE("values are found by path, cycles become times") {
    const Machine machine = small_machine();
    CHECK(time_at(machine, "paths.mpi.send.overhead") == seconds(50e-9));
    CHECK(time_at(machine, "paths.raw.send.overhead") == seconds(10e-9));
    CHECK(time_per_byte_at(machine, "paths.mpi.send.per_byte").si() == Approx(0.25e-9));
    CHECK(data_at(machine, "paths.mpi.link.framing.header") == bytes(48));
    CHECK(bandwidth_at(machine, "network.link.bandwidth") == Bandwidth(0.175e9));
    CHECK(rate_at(machine, "node.clock") == Rate(2e9));
    CHECK(number_at(machine, "node.processors") == 4);
    CHECK(text_at(machine, "network.topology") == "torus 4x4x4");
    CHECK(has(machine, "paths"));
    CHECK(has(machine, "paths.raw"));
    CHECK_FALSE(has(machine, "paths.ra"));
    CHECK(find(machine, "paths") == nullptr);
    CHECK(names_below(machine, "paths") == std::vector<std::string>{"mpi", "raw"});
    CHECK(names_below(machine, "node.modes").empty());
}

TEST_CASE("what is missing is named with its meaning and how to write it") {
    const Machine machine = small_machine();
    CHECK_THROWS_WITH(time_at(machine, "network.link.latency"),
                      "machine 'small' has no 'network.link.latency' (crossing one link and its router): add it to its "
                      "file or set it, a time such as '25 ns' or '86 cycles'");
    CHECK_THROWS_AS(time_at(machine, "network.lnik"), std::logic_error);
    Machine without_clock = machine;
    without_clock.parameters.erase(without_clock.parameters.begin());
    CHECK_THROWS_WITH(time_at(without_clock, "paths.mpi.send.overhead"),
                      "machine 'small' gives 'paths.mpi.send.overhead' in cycles but has no 'node.clock': add one "
                      "such as '700 MHz', or write a time");
}

TEST_CASE("a curve is linear in log(size) between its points and constant outside") {
    const Curve curve = curve_at(small_machine(), "compute.gups.update");
    REQUIRE(curve.points.size() == 3);
    CHECK(curve.points[0].size == bytes(65536));
    CHECK(curve.at(bytes(1)) == seconds(2e-9));
    CHECK(curve.at(bytes(65536)) == seconds(2e-9));
    CHECK(curve.at(bytes(262144)).si() == Approx(3e-9));
    CHECK(curve.at(bytes(1048576)).si() == Approx(4e-9));
    CHECK(curve.at(bytes(4 * 1048576.0)).si() == Approx(7e-9));
    CHECK(curve.at(bytes(16 * 1048576.0)) == seconds(10e-9));
    CHECK(curve.at(bytes(1e12)) == seconds(10e-9));
    CHECK(curve.at(bytes(0)) == seconds(2e-9));
}

TEST_CASE("a curve never falls between rising points") {
    const Curve curve = curve_at(small_machine(), "compute.gups.update");
    Time last;
    for (double size = 1000; size < 1e9; size *= 1.07) {
        CHECK(curve.at(bytes(size)) >= last);
        last = curve.at(bytes(size));
    }
}

TEST_CASE("one value is a curve of one point") {
    const Curve curve = curve_at(small_machine(), "paths.raw.send.overhead");
    REQUIRE(curve.points.size() == 1);
    CHECK(curve.at(bytes(1)) == seconds(10e-9));
    CHECK(curve.at(bytes(1e15)) == seconds(10e-9));
}

TEST_CASE("a change by a factor scales value and interval") {
    const Machine twice = with_change(small_machine(), "paths.mpi.send.overhead", "2x");
    const Parameter& changed = *find(twice, "paths.mpi.send.overhead");
    CHECK(changed.measure == parse_measure("200 cycles"));
    CHECK(changed.interval == Interval{180, 220});
    CHECK(changed.source == "set to 2x");
    const Machine less = with_change(small_machine(), "network.link.bandwidth", "-20%");
    CHECK(bandwidth_at(less, "network.link.bandwidth").si() == Approx(0.14e9));
    const Machine more = with_change(small_machine(), "network.link.bandwidth", "+10%");
    CHECK(bandwidth_at(more, "network.link.bandwidth").si() == Approx(0.1925e9));
}

TEST_CASE("a change by a value replaces it and its interval") {
    const Machine changed = with_change(small_machine(), "network.link.bandwidth", "2.8 Gbit/s");
    CHECK(bandwidth_at(changed, "network.link.bandwidth") == Bandwidth(0.35e9));
    CHECK(find(changed, "network.link.bandwidth")->source == "set to 2.8 Gbit/s");
    const Machine send = with_change(small_machine(), "paths.mpi.send.overhead", "30 ns");
    CHECK_FALSE(find(send, "paths.mpi.send.overhead")->interval.has_value());
    CHECK(time_at(send, "paths.mpi.send.overhead") == seconds(30e-9));
}

TEST_CASE("a factor of a section leaves numbers of a range, which have no scale") {
    Machine shared = small_machine();
    shared.parameters.push_back({"compute.balanced", {1.5, Dimension::number, ""}, "", {}, 0, "", "", ""});
    const Machine twice = with_change(shared, "compute", "2x");
    CHECK(number_at(twice, "compute.balanced") == 1.5);
    CHECK(curve_at(twice, "compute.gups.update").at(bytes(1)) == seconds(4e-9));
    CHECK_THROWS_AS(with_change(shared, "compute.balanced", "2x"), InputError);
}

TEST_CASE("a curve changes as a whole by factors only, each point also by a value") {
    const Machine twice = with_change(small_machine(), "compute.gups.update", "2x");
    CHECK(curve_at(twice, "compute.gups.update").at(bytes(1)) == seconds(4e-9));
    CHECK(curve_at(twice, "compute.gups.update").at(bytes(1e12)) == seconds(20e-9));
    const Machine point = with_change(small_machine(), "compute.gups.update.1 MiB", "5 ns");
    CHECK(curve_at(point, "compute.gups.update").at(bytes(1048576)).si() == Approx(5e-9));
    CHECK_THROWS_WITH(with_change(small_machine(), "compute.gups.update", "5 ns"),
                      "'compute.gups.update' leads to several values, such as 'compute.gups.update.1 MiB': name one of "
                      "them, or change all by a factor such as '2x'");
    const Machine more = with_change(small_machine(), "compute.gups.update.1.5 GiB", "30 ns");
    CHECK(curve_at(more, "compute.gups.update").at(bytes(1e12)) == seconds(30e-9));
    CHECK_THROWS_WITH(
        with_change(small_machine(), "compute.gups.update.1024 KiB", "30 ns"),
        "'compute.gups.update.1024 KiB' cannot be 30 ns: the curve 'compute.gups.update' has a point for 1 "
        "MiB already");
    CHECK_THROWS_AS(with_change(small_machine(), "compute.gups.update.lots", "30 ns"), InputError);
}

TEST_CASE("a change may add what the file leaves out, below names that it has") {
    const Machine latency = with_change(small_machine(), "network.link.latency", "100 ns");
    CHECK(time_at(latency, "network.link.latency") == seconds(100e-9));
    const Machine raw = with_change(small_machine(), "paths.raw.send.per_byte", "7 cycles/B");
    CHECK(time_per_byte_at(raw, "paths.raw.send.per_byte").si() == Approx(3.5e-9));
    CHECK_THROWS_AS(with_change(small_machine(), "paths.shmem.send.overhead", "7 cycles"), InputError);
    CHECK_THROWS_AS(with_change(small_machine(), "paths.mpi.receive.overhead", "7 cycles"), InputError);  // no stage
    CHECK_THROWS_AS(with_change(small_machine(), "network.link.latency", "2x"), InputError);
    CHECK_THROWS_AS(with_change(small_machine(), "network.partitions.8", "torus 2x2x2"), InputError);
    CHECK_THROWS_AS(with_change(small_machine(), "", "2x"), InputError);
}

TEST_CASE("a path that does not exist is answered with the nearest one") {
    CHECK_THROWS_WITH(
        with_change(small_machine(), "network.link.bandwith", "2x"),
        "machine 'small' has no 'network.link.bandwith', did you mean 'network.link.bandwidth'? ('narrows "
        "show' lists what it has)");
}

TEST_CASE("a change must fit what is changed") {
    CHECK_THROWS_WITH(with_change(small_machine(), "network.link.bandwidth", "5 ns"),
                      "'5 ns' is a time, expected a bandwidth such as '1.4 Gbit/s'");
    CHECK_THROWS_WITH(with_change(small_machine(), "network.link.bandwidth", "-1 GB/s"),
                      "'-1 GB/s' is impossible here: the value must be above zero");
    CHECK_THROWS_WITH(with_change(small_machine(), "network.link.bandwidth", "0x"),
                      "'0x' leaves zero or less: the factor must be positive");
    CHECK_THROWS_WITH(with_change(small_machine(), "network.link.bandwidth", "-100%"),
                      "'-100%' leaves zero or less: the factor must be positive");
    CHECK_THROWS_WITH(with_change(small_machine(), "node.processors", "1.1x"),
                      "'4.4' is not a whole number from 1 to 1000000000");
    CHECK_THROWS_WITH(with_change(small_machine(), "node.clock", "manyx"),
                      "'manyx' is not a quantity: write a number and a unit, such as '25 ns'");
    CHECK_THROWS_WITH(with_change(small_machine(), "node.clock", "1e308x"),
                      "'inf GHz' is impossible here: no machine has so large a value");
    CHECK_THROWS_WITH(
        with_change(small_machine(), "paths.mpi.link.framing.header", "256 B"),
        "'paths.mpi.link.framing.header' cannot be 256 B: a packet of '256 B' has no room beside its header "
        "of '256 B'");
    CHECK_THROWS_AS(with_change(small_machine(), "node.clock", ""), InputError);
}

TEST_CASE("a place of older files is today's, a section of them is answered by where it is said now") {
    const Machine changed = with_change(small_machine(), "messaging.raw.send.per_message", "7 ns");
    CHECK(time_at(changed, "paths.raw.send.overhead").si() == Approx(7e-9));
    CHECK_THROWS_WITH(
        with_change(small_machine(), "messaging.none.send.per_message", "7 ns"),
        "machine 'small' has no 'messaging.none.send.per_message': older files have it, and what it said is "
        "now 'paths.none.send.overhead' ('narrows show' lists what it has)");
    CHECK_THROWS_WITH(with_change(small_machine(), "messaging.raw.framing", "2x"),
                      Catch::Matchers::Contains("now 'paths.raw.link.framing.header'"));
}

TEST_CASE("a topology changes to another one only") {
    const Machine changed = with_change(small_machine(), "network.topology", "torus 8x8x8");
    CHECK(text_at(changed, "network.topology") == "torus 8x8x8");
    CHECK_THROWS_WITH(with_change(small_machine(), "network.topology", "2x"),
                      "'network.topology' is a text, which no factor can change: give a new one, written like '" +
                          text_at(small_machine(), "network.topology") + "'");
    CHECK_THROWS_AS(with_change(small_machine(), "network.topology", "torus 8x0x8"), InputError);
    CHECK_THROWS_AS(with_change(small_machine(), "network.topology", "tours 8x8x8"), InputError);
}

TEST_CASE("contradictions between parameters are found") {
    Machine machine = small_machine();
    CHECK_FALSE(contradiction_in(machine).has_value());
    machine.parameters.erase(machine.parameters.begin());
    REQUIRE(contradiction_in(machine).has_value());
    CHECK(contradiction_in(machine)->path == "compute.gups.update.16 MiB");
    CHECK(contradiction_in(machine)->message ==
          "'20 cycles' needs a clock: add 'node: {clock: 700 MHz}', or write a time");
}

TEST_CASE("a protocol reaches to one of its own kind: a message or a whole allreduce") {
    Machine machine = small_machine();
    for (const char* path : {"paths.wire.link.times", "paths.tree.collective.times", "protocols.put.wire",
                             "protocols.get.wire", "protocols.sum.tree", "protocols.other-sum.tree"}) {
        machine.parameters.push_back(parameter(path, "1"));
    }
    machine.parameters.push_back(parameter("other_networks.collective.latency", "3 us"));
    CHECK(is_whole_allreduce(machine, "sum"));
    CHECK_FALSE(is_whole_allreduce(machine, "put"));
    for (const char* path : {"reach.put.get", "reach.sum.other-sum"}) {
        Machine sound = machine;
        sound.parameters.push_back(parameter(path, "1 KiB"));
        CHECK_FALSE(contradiction_in(sound).has_value());
    }
    const auto complaint = [&machine](std::initializer_list<const char*> paths) {
        Machine wrong = machine;
        for (const char* path : paths) wrong.parameters.push_back(parameter(path, "1"));
        const auto found = contradiction_in(wrong);
        return found ? found->path + ": " + found->message : "none";
    };
    CHECK(complaint({"protocols.put.wires"}) == "protocols.put.wires: there is no path 'wires', did you mean 'wire'?");
    CHECK(complaint({"reach.put.gett"}) == "reach.put.gett: there is no protocol 'gett', did you mean 'get'?");
    CHECK(complaint({"reach.puts.get"}) == "reach.puts.get: there is no protocol 'puts', did you mean 'put'?");
    CHECK(complaint({"reach.put.put"}).find("reach.put.put: 'put' reaches back to 'put'") == 0);
    CHECK(complaint({"reach.put.get", "reach.get.put"}).find("reach.put.get: 'get' reaches back to 'put'") == 0);
    CHECK(complaint({"protocols.third.wire", "reach.put.get", "reach.get.third"})
              .find("reach.put.get: 'get' reaches to others itself, which is not followed") == 0);
    Machine wrong = machine;
    wrong.parameters.push_back(parameter("reach.put.sum", "1 KiB"));
    REQUIRE(contradiction_in(wrong).has_value());
    CHECK(contradiction_in(wrong)->path == "reach.put.sum");
    CHECK(contradiction_in(wrong)->message ==
          "protocol 'put' is a message, and 'sum' is a whole allreduce: name one of the same kind");
}

}  // namespace narrows
