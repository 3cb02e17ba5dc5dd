#include "model/program/computing.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "model/uncertainty.hpp"

namespace narrows {
namespace {

void add(Machine& machine, const std::string& path, double value, Dimension dimension, double error = 0) {
    Parameter parameter;
    parameter.path = path;
    parameter.measure = {value, dimension, ""};
    if (error > 0) parameter.interval = Interval{value * (1 - error), value * (1 + error)};
    machine.parameters.push_back(parameter);
}

// 4 Gflop/s on each of 2 processors, and 2 ns a line whatever the size.
Machine node() {
    Machine machine;
    machine.id = "node";
    add(machine, "node.processors", 2, Dimension::number);
    add(machine, "compute.flops", 4e9, Dimension::frequency, 0.1);
    add(machine, "compute.memory.16 KiB", 2e-9, Dimension::time);
    return machine;
}

PhaseWork computing(double flops, double memory, double time = 0) {
    PhaseWork phase;
    phase.compute = {time, flops, memory};
    return phase;
}

// What runs of eight phases left: all took 1.5 times as long.
ResidualSurface measured_on(const Machine& machine) {
    MeasuredResiduals measured;
    measured.name = computing_residuals;
    measured.mean = std::log(1.5);
    measured.spread = measured.noise = 0.05;
    for (double flops = 1e6; flops < 2e8; flops *= 2) {
        measured.points.push_back({values_of(computing_variables(machine, computing(flops, 0), 2)), std::log(1.5)});
    }
    measured.scales.assign(measured.points.front().at.size(), 1.0);
    return ResidualSurface(measured);
}

}  // namespace

TEST_CASE("computing: turns on a processor, and operations that hide memory") {
    const Machine machine = node();
    const auto time = [&machine](const PhaseWork& phase, std::int64_t ranks) {
        return computing_time(machine, phase, ranks).time.si();
    };
    CHECK(time(computing(4e6, 0), 1) == Approx(1e-3));
    CHECK(time(computing(4e6, 0), 3) == Approx(2e-3));
    CHECK(time(computing(0, 64e3), 2) == Approx(2e-6));
    CHECK(time(computing(4e6, 64e3, 5e-3), 2) == Approx(6e-3));
    const TimePrediction both = computing_time(machine, computing(4e3, 64e3, 5e-3), 2);
    REQUIRE(both.terms.size() == 2);
    CHECK(both.terms[0].name == "compute");
    CHECK(both.terms[0].time.si() == Approx(5e-3));
    CHECK(both.terms[1].name == "memory");
}

TEST_CASE("computing: measured runs correct operations and memory, and not what takes a given time") {
    Machine machine = node();
    machine.residuals.push_back(measured_on(machine));
    const TimePrediction alone = computing_time(machine, computing(4e6, 0), 2);
    CHECK(alone.time.si() == Approx(1.5e-3).epsilon(1e-3));
    CHECK(alone.beside.sessions == 1);
    CHECK(alone.beside.share == 1);
    const TimePrediction more = computing_time(machine, computing(4e6, 0, 1.5e-3), 2);
    CHECK(more.time.si() == Approx(3e-3).epsilon(1e-3));
    CHECK(more.beside.share == Approx(0.5).epsilon(1e-3));
    CHECK(more.beside.above == Approx(alone.beside.above / 2).epsilon(1e-3));
    machine.composed = true;  // of nodes that nobody measured together
    CHECK(computing_time(machine, computing(4e6, 0), 2).time.si() == Approx(1e-3));
    CHECK(computing_time(machine, computing(4e6, 0), 2).beside.sessions == 0);
}

TEST_CASE("the interval of a prediction that runs were measured beside in part has that of parameters for the rest") {
    const Machine machine = node();
    const auto predicted = [&machine](double share) {
        return with_interval(machine, TimePredictionOf([share](const Machine& m) {
                                 TimePrediction found = computing_time(m, computing(4e6, 0), 2);
                                 found.beside.sessions = 1;
                                 found.beside.below = found.beside.above = std::log(1.2);
                                 found.beside.share = share;
                                 return found;
                             }));
    };
    CHECK(predicted(1).high->si() == Approx(1.2e-3));
    const double by_parameters = 1e-3 / 0.9 - 1e-3;
    CHECK(predicted(0.5).high->si() == Approx(1e-3 + std::hypot(0.2e-3, by_parameters / 2)));
    CHECK(predicted(0.5).low->si() == Approx(1e-3 - std::hypot(1e-3 - 1e-3 / 1.2, (1e-3 - 1e-3 / 1.1) / 2)));
}

}  // namespace narrows
