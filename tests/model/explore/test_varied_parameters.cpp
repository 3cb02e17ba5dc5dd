#include "model/explore/varied_parameters.hpp"

#include <catch2/catch.hpp>

#include <cmath>

#include "data/library.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

TEST_CASE("varied parameters: one takes values or a factor, several a factor alone") {
    const Machine machine = load_machine("bluegene-l");
    const VariedParameters clock(machine, "node.clock");
    CHECK_FALSE(clock.by_factor());
    CHECK(clock.are_costs());
    Machine changed = machine;
    clock.set({1e9, Dimension::frequency, "GHz"}, changed);
    CHECK(find(changed, "node.clock")->measure.value == 1e9);
    clock.scale(2, changed);  // of what it was at first
    CHECK(find(changed, "node.clock")->measure.value == Approx(2 * find(machine, "node.clock")->measure.value));
    CHECK_NOTHROW(clock.check(changed));
    clock.set({-1, Dimension::frequency, "GHz"}, changed);
    CHECK_THROWS_AS(clock.check(changed), InputError);
    const VariedParameters all(machine, "compute.gups");
    CHECK(all.by_factor());
    changed = machine;
    all.scale(3, changed);
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        const Parameter& before = machine.parameters[i];
        const double factor = before.path.starts_with("compute.gups.") ? 3 : 1;
        CHECK(changed.parameters[i].measure.value == Approx(factor * before.measure.value));
    }
}

TEST_CASE("varied parameters: an interval scales with its value, and is gone with another value") {
    Machine machine;
    Parameter one;
    one.path = "network.link.bandwidth";
    one.measure = {1e9, Dimension::bandwidth, "GB/s"};
    one.interval = Interval{0.9e9, 1.2e9};
    machine.parameters = {one};
    const VariedParameters link(machine, one.path);
    Machine changed = machine;
    link.scale(2, changed);
    CHECK(changed.parameters[0].interval->low == 1.8e9);
    CHECK(changed.parameters[0].interval->high == 2.4e9);
    link.set({3e9, Dimension::bandwidth, "GB/s"}, changed);
    CHECK_FALSE(changed.parameters[0].interval);
}

TEST_CASE("varied parameters: runs measured beside follow the distance of cores, however often it is set") {
    MeasuredResiduals measured{.name = "gups-routed",
                               .scales = {1},
                               .spread = 0.2,
                               .noise = 0.01,
                               .states = {{std::log(60e-9)}, {std::log(240e-9)}},
                               .points = {{{std::log(60e-9)}, 0.0}, {{std::log(240e-9)}, 0.5}}};
    Machine machine;
    Parameter distance;
    distance.path = core_distance_path;
    distance.measure = {60e-9, Dimension::time, "ns"};
    machine.parameters = {distance};
    machine.residuals = {ResidualSurface(measured)};
    const auto factor = [](const Machine& of) { return of.residuals.front().beside({}).factor; };
    const Machine far = with_change(machine, core_distance_path, "200 ns");
    CHECK(factor(far) == Approx(std::exp(machine.residuals.front().at(std::vector{std::log(200e-9)}).value)));
    const VariedParameters varied(machine, std::string(core_distance_path));
    Machine changed = machine;
    varied.set({240e-9, Dimension::time, "ns"}, changed);
    CHECK(factor(changed) > 1.2);
    varied.scale(1, changed);
    CHECK(factor(changed) == Approx(1).margin(0.03));
    varied.set({200e-9, Dimension::time, "ns"}, changed);
    CHECK(factor(changed) == factor(far));
    CHECK_THROWS_AS(with_change(machine, core_distance_path, "0 ns"), InputError);
}

TEST_CASE("varied parameters: a path without any, or whose parameters have no factor, is an error") {
    CHECK_THROWS_AS(VariedParameters(load_machine("bluegene-l"), "node.clok"), InputError);
    CHECK_THROWS_AS(VariedParameters(load_machine("bluegene-l"), "network"), InputError);
}

}  // namespace narrows
