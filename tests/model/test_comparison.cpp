#include "model/comparison.hpp"

#include <catch2/catch.hpp>

#include "data/library.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Machine with_interval(Machine machine, const std::string& path, double low, double high) {
    for (Parameter& parameter : machine.parameters) {
        const double value = parameter.measure.value;
        if (parameter.path == path) parameter.interval = Interval{low * value, high * value};
    }
    return machine;
}

const ParameterDifference* found_at(const std::vector<ParameterDifference>& all, const std::string& path) {
    for (const ParameterDifference& one : all) {
        if (one.path == path) return &one;
    }
    return nullptr;
}

}  // namespace

TEST_CASE("two estimates differ beyond their intervals where that of the difference does not hold 0") {
    const Estimate near{10, Interval{7, 13}};
    CHECK(standing_of(near, {14.9, Interval{10.9, 20}}) == Standing::within);  // 4.9 < hypot(3, 4)
    CHECK(standing_of(near, {15.1, Interval{11.1, 20}}) == Standing::beyond);  // 5.1 > hypot(3, 4)
    CHECK(standing_of({15.1, Interval{11.1, 20}}, near) == Standing::beyond);
    CHECK(standing_of(near, {12.9, {}}) == Standing::within);
    CHECK(standing_of(near, {13.1, {}}) == Standing::beyond);
    CHECK(standing_of(near, near) == Standing::same);
    CHECK(standing_of({1, {}}, {2, {}}) == Standing::exact);
}

TEST_CASE("an interval's sides count for themselves: only the one towards the other number") {
    CHECK(standing_of({10, Interval{0, 10.5}}, {11, {}}) == Standing::beyond);
    CHECK(standing_of({10, Interval{9.5, 20}}, {11, {}}) == Standing::within);
}

TEST_CASE("a relative change, and none from nothing") {
    CHECK(*relative_change(4, 5) == Approx(0.25));
    CHECK(*relative_change(0, 0) == 0);
    CHECK_FALSE(relative_change(0, 1));
}

TEST_CASE("what differs between two machines: beyond intervals first, within them last") {
    const Machine before = load_machine("bluegene-l");
    CHECK(differences(before, before).empty());
    Machine after = with_change(before, "node.clock", "+10%");
    after = with_change(after, "network.link.bandwidth", "+1%");
    after = with_change(after, "compute.gups.update", "90 ns");
    after = with_change(after, "node.memory.bandwidth", "4 GB/s");
    Machine certain = with_interval(before, "node.clock", 0.99, 1.01);
    certain = with_interval(certain, "network.link.bandwidth", 0.9, 1.1);
    certain.parameters.push_back({"node.memory.controllers", {}, "", {}, 0, "", "", ""});
    std::vector<std::string> told;
    const auto found = differences(certain, after);
    for (const ParameterDifference& one : found) told.push_back(one.path + ": " + std::string(name_of(one.standing)));
    CHECK(told == std::vector<std::string>{"node.clock: beyond intervals", "compute.gups.update: no interval",
                                           "node.memory.controllers: only in the first",
                                           "node.memory.bandwidth: only in the second",
                                           "network.link.bandwidth: within intervals"});
    CHECK(*found_at(found, "node.clock")->change == Approx(0.1));
    CHECK_FALSE(found_at(found, "compute.gups.update")->change);  // from cycles to seconds
    CHECK_FALSE(found_at(found, "node.memory.bandwidth")->before);
}

TEST_CASE("what each difference does to a prediction alone, the largest first") {
    const Machine before = load_machine("bluegene-l");
    Machine after = with_change(before, "node.clock", "2x");
    after = with_change(after, "network.link.bandwidth", "+1%");
    after = with_change(after, "network.topology", "torus 8x8x8");
    after = with_change(after, "node.memory.size", "2x");
    auto found = differences(before, after);
    int predictions = 0;
    weigh(found, before, [&predictions](const Machine& machine) {
        ++predictions;
        return 1 + number_at(machine, "network.link.bandwidth") / 1e6 / 175 + number_at(machine, "node.clock") / 7e8;
    });
    CHECK(predictions == 3);  // the first, and those of the two that it follows
    CHECK(found[0].path == "node.clock");
    CHECK(*found[0].effect == Approx(1.0 / 3));
    CHECK(found[1].path == "network.link.bandwidth");
    CHECK(*found[1].effect == Approx(0.01 / 3));
    CHECK_FALSE(found_at(found, "network.topology")->effect);
    CHECK(*found_at(found, "node.memory.size")->effect == 0);
}

TEST_CASE("a difference without a prediction has no effect") {
    const Machine before = load_machine("bluegene-l");
    auto found = differences(before, with_change(before, "node.clock", "2x"));
    weigh(found, before, [](const Machine& machine) {
        if (number_at(machine, "node.clock") > 1e9) throw InputError("too fast");
        return 1.0;
    });
    CHECK_FALSE(found.front().effect);
    const Machine small = with_change(before, "paths.mpi.link.framing.packet", "64 B");
    const Machine large = with_change(before, "paths.mpi.link.framing.header", "128 B");
    found = differences(large, small);  // neither alone: packets of 64 B have no room beside headers of 128 B
    weigh(found, large, [](const Machine& machine) {
        return number_at(machine, "node.clock") + data_at(machine, "paths.mpi.link.framing.packet").si() +
               data_at(machine, "paths.mpi.link.framing.header").si();
    });
    REQUIRE(found_at(found, "paths.mpi.link.framing.packet") != nullptr);
    CHECK_FALSE(found_at(found, "paths.mpi.link.framing.packet")->effect);
    CHECK(found_at(found, "paths.mpi.link.framing.header")->effect);
}

TEST_CASE("a text that differs has no relative change") {
    const Machine before = load_machine("bluegene-l");
    const auto found = differences(before, with_change(before, "network.topology", "torus 8x8x8"));
    const ParameterDifference* const topology = found_at(found, "network.topology");
    REQUIRE(topology != nullptr);
    CHECK(topology->standing == Standing::exact);
    CHECK_FALSE(topology->change);
    CHECK(found_at(found, "network.partitions.512") != nullptr);  // those of the network before
}

TEST_CASE("the terms that moved: largest first, the shares of the whole change sum to 1") {
    const auto found = moved_terms({{"wire", seconds(4)}, {"copy", seconds(1)}, {"same", seconds(7)}},
                                   {{"copy", seconds(3)}, {"same", seconds(7)}, {"wait", seconds(1)}});
    REQUIRE(found.size() == 3);
    CHECK(found[0].name == "wire");
    CHECK(found[0].change() == seconds(-4));
    CHECK(*found[0].share == Approx(4));
    CHECK(found[1].name == "copy");
    CHECK(*found[1].share == Approx(-2));
    CHECK(found[2].before == seconds(0));
    CHECK(*found[0].share + *found[1].share + *found[2].share == Approx(1));
}

TEST_CASE("terms that offset each other are no share of a whole that stays as it is") {
    const auto found = moved_terms({{"a", seconds(1)}, {"b", seconds(2)}}, {{"a", seconds(2)}, {"b", seconds(1)}});
    REQUIRE(found.size() == 2);
    CHECK_FALSE(found[0].share);
    CHECK(moved_terms({}, {}).empty());
    CHECK(moved_terms({{"a", seconds(1)}}, {{"a", seconds(1 + 1e-15)}}).empty());
}

}  // namespace narrows
