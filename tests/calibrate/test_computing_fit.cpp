#include "calibrate/study/computing_fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "model/program/computing.hpp"

namespace narrows {
namespace {

void add(Machine& machine, const std::string& path, double value, Dimension dimension) {
    Parameter parameter;
    parameter.path = path;
    parameter.measure = {value, dimension, ""};
    machine.parameters.push_back(parameter);
}

/// Two processors whose memory takes longer from size to size, and hides some of the operations.
Machine known_machine() {
    Machine machine;
    machine.id = "known";
    add(machine, "node.processors", 2, Dimension::number);
    add(machine, "compute.flops", 12e9, Dimension::frequency);
    double line = 2e-9;
    for (const char* size : {"16", "256", "2048", "8192", "16384", "32768", "65536"}) {
        add(machine, std::string("compute.memory.") + size + " KiB", line *= 1.3, Dimension::time);
    }
    add(machine, "compute.balanced", 1.25, Dimension::number);
    return machine;
}

Sample sample_on(const Machine& machine, const ComputingCase& what) {
    Sample taken;
    taken.name = what.name();
    taken.updates = 100;
    taken.workers = 2;
    taken.seconds = 100 * computing_time(machine, what.phase(), what.ranks).time.si();
    taken.cpu_seconds = 2 * taken.seconds;
    return taken;
}

double value_of(const std::vector<Parameter>& all, const std::string& path) {
    for (const Parameter& one : all) {
        if (one.path == path) return one.measure.value;
    }
    return 0;
}

}  // namespace

TEST_CASE("the costs of computing are found again, with intervals that hold them") {
    const Machine known = known_machine();
    const auto cases = computing_cases(2);
    std::vector<Sample> samples;
    for (const ComputingCase& what : cases) samples.insert(samples.end(), 5, sample_on(known, what));
    const std::vector<Parameter> found = fit_computing(cases, samples, FitOptions());
    REQUIRE(found.size() == known.parameters.size() - 1);
    for (const Parameter& one : found) {
        const double value = number_at(known, one.path);
        CHECK(one.measure.value == Approx(value).epsilon(1e-3));
        REQUIRE(one.interval);
        CHECK(one.interval->low <= value * (1 + 1e-3));
        CHECK(one.interval->high >= value * (1 - 1e-3));
    }
    SECTION("and without samples of both, how operations and memory add is left out") {
        std::vector<Sample> apart;
        for (const Sample& taken : samples) {
            const auto what = computing_case_named(taken.name);
            if (what->flops == 0 || what->memory == 0) apart.push_back(taken);
        }
        CHECK(value_of(fit_computing(cases, apart, FitOptions()), "compute.balanced") == 0);
        CHECK(value_of(fit_computing(cases, apart, FitOptions()), "compute.flops") == Approx(12e9).epsilon(1e-3));
    }
}

TEST_CASE("runs of arithmetic that differ many times give a cost with an interval that ends") {
    const Machine known = known_machine();
    std::vector<ComputingCase> cases = computing_cases(2);
    std::erase_if(cases, [](const ComputingCase& what) { return what.memory != 0; });
    REQUIRE_FALSE(cases.empty());
    std::vector<Sample> samples(3, sample_on(known, cases.front()));
    for (const std::size_t slow : {1, 2}) samples[slow].seconds *= 6;
    FitOptions noisy;
    noisy.widening = 4;
    const std::vector<Parameter> found = fit_computing(cases, samples, noisy);
    REQUIRE(found.size() == 1);
    REQUIRE(found.front().interval);
    CHECK(found.front().interval->low > 0);
    CHECK(found.front().interval->high <= 5.001 * found.front().measure.value);
}

TEST_CASE("cases of computing fill their space and are known by their names") {
    const Machine known = known_machine();
    CaseLimits limits{.workers = 4, .memory = std::size_t{1} << 30};
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    std::set<int> ranks;
    int operations = 0, memory = 0;
    constexpr int count = 400;
    for (int i = 0; i < count; ++i) {
        const ComputingCase what = computing_case_at([&] { return unit(random); }, limits);
        const auto again = computing_case_named(what.name());
        REQUIRE(again);
        CHECK(again->flops == what.flops);
        CHECK(again->memory == what.memory);
        CHECK(again->ranks == what.ranks);
        CHECK(static_cast<double>(what.memory) * what.ranks <= static_cast<double>(limits.memory) / 2);
        ranks.insert(what.ranks);
        if (what.memory == 0) ++operations;
        if (what.flops == 0) ++memory;
        const auto run = computing_space().predicted(known, what.name());
        REQUIRE(run);
        CHECK(run->variables.size() == 4);
        for (const double each : run->variables) CHECK(std::isfinite(each));
    }
    CHECK(ranks == std::set{2, 3, 4});
    CHECK(std::abs(operations - count / 4) < count / 12);
    CHECK(std::abs(memory - count / 4) < count / 12);
    CHECK_FALSE(computing_case_named("computing flops=1 memory=2"));
    CHECK_FALSE(computing_case_named("computing flops=01 memory=2 ranks=2"));
    CHECK_FALSE(computing_space().predicted(known, "ping-pong protocol=eager"));
}

TEST_CASE("a phase that computes is timed") {
    const ComputingCase what{1'000'000, 1 << 16, 2};
    const Sample taken = study_case(what, 1e-4, 3e-3).run();
    CHECK(taken.name == what.name());
    CHECK(taken.updates >= 3);
    CHECK(taken.per_update() > 1e-6);
    CHECK(taken.per_update() < 1);
}

}  // namespace narrows
