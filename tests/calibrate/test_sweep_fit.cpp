#include "calibrate/study/sweep_fit.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "calibrate/kernels/sweep3d/side_by_side.hpp"

namespace narrows {
namespace {

using Catch::Matchers::WithinRel;

void add(Machine& machine, const std::string& path, double value, Dimension dimension) {
    Parameter parameter;
    parameter.path = path;
    parameter.measure = {value, dimension, ""};
    machine.parameters.push_back(parameter);
}

/// A machine of two processors whose costs are known.
Machine known_machine() {
    Machine machine;
    machine.id = "known";
    double cell = 9e-9;
    for (const char* kind : {"6", "3", "2", "1", "6-isotropic", "3-isotropic", "2-isotropic", "1-isotropic"}) {
        const std::string path = std::string("compute.sweep3d.blocks.") + kind;
        add(machine, path + ".cell", cell, Dimension::time);
        add(machine, path + ".row", 5e-9, Dimension::time);
        add(machine, path + ".start", 40e-9, Dimension::time);
        add(machine, path + ".column", cell / 2, Dimension::time);
        const bool isotropic = path.ends_with("isotropic");
        add(machine, path + (isotropic ? ".flux.64 KiB" : ".flux.256 KiB"), 0, Dimension::time);
        for (const double size : {1, 8, 32}) {
            const double flux = size * 1024 / (isotropic ? 4 : 1);
            add(machine, fmt::format("{}.flux.{} KiB", path, flux), size * cell / 40, Dimension::time);
        }
        cell *= 0.9;
    }
    add(machine, "compute.sweep3d.turn", 30e-9, Dimension::time);
    add(machine, "compute.sweep3d.end", 3e-9, Dimension::time);
    add(machine, "compute.sweep3d.end_isotropic", 2e-9, Dimension::time);
    for (const char* level : {"same-processor", "same-node"}) {
        const bool node = std::string_view(level) == "same-node";
        const std::string protocol = fmt::format("{}-in-sweeps", level);
        const std::string path = "paths." + protocol;
        add(machine, fmt::format("levels.{}.processors", level), node ? 2 : 1, Dimension::number);
        add(machine, fmt::format("levels.{}.protocol", level), 0, Dimension::number);
        machine.parameters.back().text = protocol;
        add(machine, fmt::format("protocols.{0}.{0}", protocol), 1, Dimension::number);
        add(machine, path + ".request.latency", 0, Dimension::time);
        add(machine, path + ".send.overhead", 100e-9, Dimension::time);
        if (!node) add(machine, path + ".send.per_byte", 0.1e-9, Dimension::time_per_byte);
        add(machine, path + ".flight.latency", 0, Dimension::time);
        add(machine, path + ".receive.overhead", node ? 400e-9 : 100e-9, Dimension::time);
        if (node) add(machine, path + ".receive.per_byte", 0.2e-9, Dimension::time_per_byte);
    }
    return machine;
}

double iteration_of(const Machine& machine, const SweepCase& what) {
    return sweep3d_time(machine, what.query()).si();
}

// What the cases would have taken on the known machine.
std::vector<Sample> samples_on(const Machine& machine, const std::vector<SweepCase>& cases) {
    std::vector<Sample> samples;
    for (const SweepCase& what : cases) {
        const int iterations = what.options.problem.iterations;
        const int copies = what.role == SweepRole::between ? 1 : what.options.workers;
        Sample taken;
        taken.name = what.name();
        taken.seconds = iteration_of(machine, what) * iterations;
        taken.updates =
            static_cast<std::uint64_t>(what.cell_angles()) * static_cast<std::uint64_t>(iterations * copies);
        taken.workers = what.options.workers;
        taken.probe_seconds = 1e-3;
        samples.insert(samples.end(), 6, taken);
    }
    return samples;
}

Machine fitted(const std::vector<SweepCase>& cases, const std::vector<Sample>& samples) {
    Machine machine;
    machine.id = "fitted";
    machine.parameters = fit_sweep3d(cases, samples, FitOptions());
    return machine;
}

TEST_CASE("the costs of sweep3d are found again in samples made from them") {
    const Machine known = known_machine();
    const auto cases = sweep_cases(Effort::quick, 2);
    const Machine machine = fitted(cases, samples_on(known, cases));
    for (const char* path :
         {"compute.sweep3d.blocks.6.cell", "compute.sweep3d.blocks.6.row", "compute.sweep3d.blocks.3-isotropic.cell",
          "compute.sweep3d.blocks.3.start", "compute.sweep3d.blocks.1.column", "compute.sweep3d.end",
          "compute.sweep3d.turn", "compute.sweep3d.end_isotropic", "paths.same-processor-in-sweeps.send.overhead",
          "paths.same-node-in-sweeps.receive.overhead"}) {
        INFO(path);
        CHECK_THAT(time_at(machine, path).si(), WithinRel(time_at(known, path).si(), 1e-3));
        CHECK(find(machine, path)->interval.has_value());
    }
    CHECK_THAT(time_per_byte_at(machine, "paths.same-processor-in-sweeps.send.per_byte").si(), WithinRel(0.1e-9, 1e-3));
    CHECK_THAT(time_per_byte_at(machine, "paths.same-node-in-sweeps.receive.per_byte").si(), WithinRel(0.2e-9, 1e-2));
    for (const char* path : {"compute.sweep3d.blocks.6.flux", "compute.sweep3d.blocks.3-isotropic.flux"}) {
        const Data flux = bytes(8192 * 1024);
        CHECK_THAT(curve_at(machine, path).at(flux).si(), WithinRel(curve_at(known, path).at(flux).si(), 1e-3));
    }
    for (const SweepCase& what : sweep_validation_cases(2, 256)) {
        INFO(what.name());
        CHECK_THAT(iteration_of(machine, what), WithinRel(iteration_of(known, what), 1e-2));
        if (what.query().ranks() != 4) continue;
        const TimePrediction prediction = predict_sweep3d(machine, what.query());
        REQUIRE(prediction.low.has_value());
        CHECK(*prediction.low <= prediction.time);
        CHECK(*prediction.high >= prediction.time);
    }
}

constexpr double lines = 5;
constexpr double lines_per_byte = 0.003;

// The known machine, whose messages between cores take so many cache lines of this many seconds beside their ends.
Machine at_distance(double distance) {
    Machine machine = known_machine();
    for (Parameter& each : machine.parameters) {
        if (each.path == "paths.same-node-in-sweeps.receive.overhead") each.measure.value = 100e-9 + lines * distance;
        if (each.path == "paths.same-node-in-sweeps.receive.per_byte") each.measure.value = lines_per_byte * distance;
    }
    return machine;
}

TEST_CASE("messages between cores wait for as many cache lines wherever the cores are") {
    constexpr double near = 60e-9;
    constexpr double far = 260e-9;
    const auto cases = sweep_cases(Effort::quick, 2);
    std::vector<Sample> samples;
    for (const double distance : {near, far, near}) {
        for (Sample taken : samples_on(at_distance(distance), cases)) {
            taken.core_distance = distance;
            samples.push_back(taken);
        }
    }
    const Machine machine = fitted(cases, samples);
    CHECK_THAT(number_at(machine, "paths.same-node-in-sweeps.receive.lines"), WithinRel(lines, 1e-2));
    CHECK_THAT(number_at(machine, "paths.same-node-in-sweeps.receive.lines_per_byte"), WithinRel(lines_per_byte, 1e-2));
    const Parameter* const distance = find(machine, "node.core_distance");
    REQUIRE(distance != nullptr);
    CHECK_THAT(distance->measure.value, WithinRel(near));
    CHECK_THAT(distance->interval->high, WithinRel(far));
    for (const double state : {near, 130e-9, far}) {
        for (const SweepCase& what : sweep_validation_cases(2, 256)) {
            INFO(what.name());
            CHECK_THAT(iteration_of(in_state(machine, {std::log(state)}), what),
                       WithinRel(iteration_of(at_distance(state), what), 1e-2));
        }
    }
}

TEST_CASE("a machine of one processor has nothing between processors") {
    const auto cases = sweep_cases(Effort::quick, 1);
    const Machine machine = fitted(cases, samples_on(known_machine(), cases));
    CHECK(has(machine, "levels.same-processor"));
    CHECK_FALSE(has(machine, "levels.same-node"));
    CHECK(fitted(cases, {}).parameters.empty());
}

TEST_CASE("cases of sweep3d have names of their own and validation has none of them") {
    std::set<std::string> decks;
    for (const Effort effort : {Effort::quick, Effort::full}) {
        std::set<std::string> names;
        for (const SweepCase& what : sweep_cases(effort, 2)) {
            CHECK(names.insert(what.name()).second);
            const auto& [i, j, k] = what.options.problem.cells;
            decks.insert(std::to_string(i) + "x" + std::to_string(j) + "x" + std::to_string(k));
        }
    }
    CHECK_FALSE(decks.contains("50x50x50"));
    CHECK_FALSE(decks.contains("64x48x60"));
    CHECK(sweep_validation_cases(2, 256).size() == 18);
    CHECK(sweep_validation_cases(2, 4).size() == 6);
}

TEST_CASE("copies side by side make the same messages each as the problem alone") {
    SweepOptions options;
    options.problem.cells = {6, 6, 4};
    options.problem.iterations = 2;
    options.planes = 2;
    options.grid = {3, 2};
    options.protocol = Protocol::receiver_initiated;
    const SweepRun alone = run_sweep3d(options);
    for (const int copies : {1, 2}) {
        const SweepRun run = run_side_by_side(options, copies);
        CHECK(run.messages == alone.messages);
        CHECK(run.bytes == alone.bytes);
        CHECK(run.cell_angles == copies * alone.cell_angles);
        CHECK(run.iterations.size() == alone.iterations.size());
        CHECK(run.seconds > 0);
    }
    Sample taken = study_case(sweep_cases(Effort::quick, 1).back()).run();
    CHECK(taken.seconds > 0);
    CHECK(taken.updates > 0);
}

}  // namespace
}  // namespace narrows
