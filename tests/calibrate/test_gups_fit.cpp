#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "calibrate/study/calibration.hpp"
#include "calibrate/study/gups_fit.hpp"
#include "calibrate/study/validation.hpp"
#include "model/gups/bucket_size.hpp"
#include "model/gups/residuals.hpp"
#include "model/gups/routed.hpp"
#include "model/gups/workload.hpp"
#include "model/schema.hpp"
#include "model/uncertainty.hpp"

namespace narrows {
namespace {

constexpr std::size_t plenty = std::size_t{1} << 36;

struct Truth {
    double update = 3e-9;
    double doubled = 0;  // what an update takes more with twice the table for each processor
    double route = 2e-9;
    double packet = 50e-9;
    double line = 30e-9;  // each line of a packet beyond its first
    double alone = 2;     // updates that one alone in its packet takes more
    double slowdown = 1.3;
    double run = 12e-6;          // once for each rank
    double crossing = 1.5;       // distances of cores, of a packet to another processor
    double crossing_line = 0.5;  // and of each further line
    double insert = 20e-9;
    double message = 100e-9;
};

// The time of an update that a machine with these costs would take, by the formulas that calibration assumes.
double true_time(const GupsCase& what, const Truth& truth, double distance = 0) {
    const double mebibytes = static_cast<double>(what.options.table_words) / what.options.workers / 131072;
    const double update = truth.update + truth.doubled * (10 + std::log2(mebibytes));
    if (what.options.variant == GupsVariant::local) return update;
    const double ranks = what.options.ranks;
    if (what.options.variant == GupsVariant::bucketed) {
        return update + truth.insert +
               (ranks - 1) / ranks * truth.message /
                   mean_bucket_of_run(ranks, static_cast<double>(what.options.updates) / ranks);
    }
    const std::vector<int>& shape = what.options.shape;
    const double hops = routed_hops(shape);
    const double updates_of_rank = static_cast<double>(what.options.updates) / ranks;
    const double flushed = finishing_packets(shape, what.options.bucket, updates_of_rank);
    const double lines = lines_of_packet(what.options.bucket) - 1;
    const double between = hops > 0 ? (1 - 1.0 / what.options.workers) / hops : 0;
    return truth.slowdown * update * (1 + truth.alone / what.options.bucket) + (hops + 1) * truth.route +
           (hops / what.options.bucket + flushed) *
               (truth.packet + lines * truth.line +
                between * distance * (truth.crossing + lines * truth.crossing_line)) +
           truth.run / updates_of_rank;
}

std::vector<Sample> true_samples(const std::vector<GupsCase>& cases, const Truth& truth, double distance = 0) {
    std::vector<Sample> samples;
    for (const GupsCase& what : cases) {
        for (const double disturbance : {1.0, 1.0, 1.02}) {
            Sample taken;
            taken.name = what.name();
            taken.updates = what.options.updates;
            taken.workers = what.options.workers;
            taken.core_distance = distance;
            taken.seconds =
                true_time(what, truth, distance) * disturbance * static_cast<double>(taken.updates) / taken.workers;
            taken.cpu_seconds = taken.seconds * taken.workers;
            samples.push_back(taken);
        }
    }
    return samples;
}

TEST_CASE("a fit of samples made from known costs finds the costs") {
    const Truth truth;
    const auto cases = calibration_cases(Effort::full, 2, plenty);
    const Machine machine = fit_gups(cases, true_samples(cases, truth), {});
    for (const double size : {32e3, 1e6, 1e8}) {
        CAPTURE(size);
        CHECK(curve_at(machine, "compute.gups.update").at(bytes(size)).si() == Approx(truth.update));
        CHECK(curve_at(machine, "compute.gups.update_4KiB_pages").at(bytes(size)).si() == Approx(truth.update));
        CHECK(curve_at(machine, "compute.gups.route.per_update").at(bytes(size)).si() == Approx(truth.route));
        CHECK(curve_at(machine, "compute.gups.route.per_packet").at(bytes(size)).si() == Approx(truth.packet));
        CHECK(curve_at(machine, "compute.gups.route.per_line").at(bytes(size)).si() == Approx(truth.line));
        CHECK(curve_at(machine, "compute.gups.route.per_run").at(bytes(size)).si() == Approx(truth.run));
    }
    CHECK(time_at(machine, "compute.gups.bucket.per_own_update").si() == Approx(truth.insert).epsilon(0.02));
    CHECK(curve_at(machine, "compute.gups.bucket.per_message").at(bytes(1e7)).si() ==
          Approx(truth.message).epsilon(0.05));
    CHECK(number_at(machine, "compute.gups.route.slowdown") == Approx(truth.slowdown));
    CHECK(number_at(machine, "compute.gups.route.alone") == Approx(truth.alone));
    CHECK(!has(machine, "compute.gups.route.crossing"));
    CHECK(!has(machine, "node.core_distance"));
    CHECK(number_at(machine, "node.processors") == 2);
    CHECK(has(machine, "compute.gups.update.16384 MiB"));
}

TEST_CASE("samples of the largest table are fitted, whatever memory the machine had that was measured") {
    constexpr std::size_t up_to_2_gib = std::size_t{5} << 30;
    const std::vector<Sample> samples = true_samples(calibration_cases(Effort::full, 2, up_to_2_gib), Truth());
    const auto found = calibrated_gups().known(samples, 2).fit(samples, {});
    const auto has_point = [&found](const char* path) {
        return std::ranges::any_of(found, [path](const Parameter& one) { return one.path == path; });
    };
    CHECK(has_point("compute.gups.update.2048 MiB"));
    CHECK(has_point("compute.gups.update.4096 MiB"));  // of one processor, which all would have as much of
    CHECK_FALSE(has_point("compute.gups.update.8192 MiB"));
}

TEST_CASE("runs at several distances of cores tell what packets to other processors wait for") {
    const Truth truth;
    const auto cases = calibration_cases(Effort::full, 2, plenty);
    std::vector<Sample> samples = true_samples(cases, truth, 40e-9);
    for (const Sample& taken : true_samples(cases, truth, 200e-9)) samples.push_back(taken);
    GupsCase of_one_rank;
    of_one_rank.options.variant = GupsVariant::routed;
    of_one_rank.options.shape = {1};
    of_one_rank.options.updates = 1 << 20;
    of_one_rank.options.ranks = of_one_rank.options.workers = of_one_rank.options.bucket = 1;
    for (const Sample& taken : true_samples({of_one_rank}, truth, 40e-9)) samples.push_back(taken);
    const Machine machine = fit_gups(cases, samples, {});
    CHECK(number_at(machine, "compute.gups.route.crossing.packet") == Approx(truth.crossing));
    CHECK(number_at(machine, "compute.gups.route.crossing.line") == Approx(truth.crossing_line));
    CHECK(curve_at(machine, "compute.gups.route.per_packet").at(bytes(1e6)).si() == Approx(truth.packet));
    for (const GupsCase& what : validation_cases(2, 65536, plenty)) {
        if (what.options.variant != GupsVariant::routed) continue;
        CAPTURE(what.name());
        for (const double distance : {40e-9, 120e-9, 200e-9}) {
            const Machine there = at_core_distance(machine, distance);
            const double expected = what.options.workers / true_time(what, truth, distance);
            CHECK(predict_gups(there, query_of(what)).rate.si() == Approx(expected).epsilon(1e-6));
        }
    }
    Machine with_states = machine;
    MeasuredResiduals nothing_left;
    nothing_left.name = residuals_of(GupsCode::routed);
    nothing_left.states = {{std::log(40e-9)}, {std::log(40e-9)}, {std::log(200e-9)}};
    nothing_left.spread = nothing_left.noise = 0.01;
    nothing_left.points = {{std::vector<double>(14, 1.0), 0}, {std::vector<double>(14, 2.0), 0}};
    nothing_left.scales.assign(14, 100);
    with_states.residuals = {ResidualSurface(nothing_left)};
    GupsCase what;
    what.options.variant = GupsVariant::routed;
    what.options.shape = {2, 2};
    what.options.ranks = 4;
    what.options.bucket = 1;
    what.options.workers = 2;
    what.options.updates = 1 << 22;
    const auto rate = [&](double distance) { return 2 / true_time(what, truth, distance); };
    const Prediction usual = predict_gups(with_states, query_of(what));
    CHECK(usual.rate.si() == Approx(rate(40e-9)));
    CHECK(usual.low->si() < rate(200e-9));
    CHECK(predict_gups(in_state(with_states, {std::log(200e-9)}), query_of(what)).rate.si() == Approx(rate(200e-9)));
    const Machine alone = fit_gups(cases, true_samples(cases, truth, 40e-9), {});
    CHECK(number_at(alone, "node.core_distance") == Approx(40e-9));
}

TEST_CASE(
    "costs and their intervals are what machine files take, of noisy runs and of updates that take no longer too") {
    Truth truth;
    truth.slowdown = 1;
    truth.alone = truth.crossing = truth.crossing_line = 0;
    const auto cases = calibration_cases(Effort::full, 2, plenty);
    std::vector<Sample> samples = true_samples(cases, truth, 40e-9);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].seconds *= 1 + 0.3 * std::sin(static_cast<double>(i));
    for (Sample& taken : samples) taken.cpu_seconds = taken.seconds * taken.workers;
    FitOptions noisy;
    noisy.widening = 8;
    for (const Parameter& found : fit_gups(cases, samples, noisy).parameters) {
        INFO(found.path);
        const SchemaRow* row = schema_row(found.path);
        REQUIRE(row != nullptr);
        CHECK_NOTHROW(check_value(*row, found.measure));
        if (!found.interval) continue;
        for (const double end : {found.interval->low, found.interval->high}) {
            Measure at_end = found.measure;
            at_end.value = end;
            CHECK_NOTHROW(check_value(*row, at_end));
        }
    }
}

TEST_CASE("processors that are idle make no difference to what ranks take beside their updates") {
    Truth truth;
    truth.doubled = 1e-9;
    const auto cases = calibration_cases(Effort::full, 4, plenty);
    const Machine machine = fit_gups(cases, true_samples(cases, truth), {});
    for (const double size : {16e3, 32e3, 1e6, 1e8}) {  // 2 of 4, then all of them
        CAPTURE(size);
        CHECK(curve_at(machine, "compute.gups.route.per_update").at(bytes(size)).si() == Approx(truth.route));
        CHECK(curve_at(machine, "compute.gups.route.per_packet").at(bytes(size)).si() == Approx(truth.packet));
    }
}

TEST_CASE("runs anywhere in the space tell the costs of routing too") {
    const Truth truth;
    const auto cases = calibration_cases(Effort::quick, 2, plenty);
    Truth other = truth;
    other.packet *= 2;
    std::vector<Sample> samples = true_samples(cases, truth);
    std::vector<GupsCase> drawn;
    for (GupsCase what : validation_cases(2, 4096, plenty)) {
        what.options.bucket = 2;
        if (what.options.variant == GupsVariant::routed) drawn.push_back(what);
    }
    for (const Sample& taken : true_samples(drawn, other)) samples.push_back(taken);
    const Machine machine = fit_gups(cases, samples, {});
    const double packet = curve_at(machine, "compute.gups.route.per_packet").at(bytes(1e6)).si();
    CHECK(packet > 1.05 * truth.packet);
    CHECK(packet < other.packet);
}

TEST_CASE("predictions of the fitted machine are those of the costs at sizes that the fit did not see") {
    const Truth truth;
    const auto cases = calibration_cases(Effort::full, 2, plenty);
    const Machine machine = fit_gups(cases, true_samples(cases, truth), {});
    for (const GupsCase& what : validation_cases(2, 65536, plenty)) {
        const GupsQuery query = query_of(what);
        const Prediction prediction = with_interval(machine, [&](const Machine& m) { return predict_gups(m, query); });
        const double expected = what.options.workers / true_time(what, truth);
        CAPTURE(what.name());
        CHECK(prediction.rate.si() == Approx(expected).epsilon(1e-6));
        REQUIRE(prediction.low.has_value());
        CHECK(prediction.low->si() < expected);
        CHECK(prediction.high->si() > expected);
    }
}

TEST_CASE("noise widens every interval and moves no value") {
    const auto cases = calibration_cases(Effort::quick, 2, plenty);
    const auto samples = true_samples(cases, Truth());
    FitOptions noisy;
    noisy.widening = 2;
    const Machine quiet_machine = fit_gups(cases, samples, {});
    const Machine noisy_machine = fit_gups(cases, samples, noisy);
    REQUIRE(quiet_machine.parameters.size() == noisy_machine.parameters.size());
    for (std::size_t i = 0; i < quiet_machine.parameters.size(); ++i) {
        const Parameter& quiet = quiet_machine.parameters[i];
        const Parameter& wide = noisy_machine.parameters[i];
        CHECK(quiet.measure == wide.measure);
        if (!quiet.interval) continue;
        CHECK(wide.interval->high - wide.interval->low >= (quiet.interval->high - quiet.interval->low) * 0.99);
        CHECK(wide.interval->low >= 0);
    }
}

TEST_CASE("what has no samples is left out of the machine") {
    const auto cases = calibration_cases(Effort::quick, 2, plenty);
    std::vector<Sample> samples = true_samples(cases, Truth());
    std::erase_if(samples, [](const Sample& taken) { return taken.name.starts_with("bucket"); });
    const Machine machine = fit_gups(cases, samples, {});
    CHECK_FALSE(has(machine, "compute.gups.bucket"));
    CHECK(has(machine, "compute.gups.route"));
}

TEST_CASE("runs whose packets are a line tell no cost of further lines") {
    const auto cases = calibration_cases(Effort::quick, 2, plenty);
    std::vector<Sample> samples = true_samples(cases, Truth());
    std::erase_if(samples, [](const Sample& taken) {
        const auto what = gups_case_named(taken.name);
        return what->options.variant == GupsVariant::routed && what->options.bucket > 8;
    });
    const Machine machine = fit_gups(cases, samples, {});
    CHECK(has(machine, "compute.gups.route.per_packet"));
    CHECK_FALSE(has(machine, "compute.gups.route.per_line"));
}

TEST_CASE("validation has at least eleven sizes from 2 to 65536 and none that a fit saw") {
    const auto cases = validation_cases(2, 65536, plenty);
    CHECK(cases.size() >= 11);
    CHECK(cases.front().options.ranks == 2);
    CHECK(cases.back().options.ranks == 65536);
    std::set<std::string> seen;
    for (const Effort effort : {Effort::quick, Effort::full}) {
        for (const GupsCase& what : calibration_cases(effort, 2, plenty)) {
            seen.insert(what.name());
        }
    }
    for (const GupsCase& what : cases) CHECK_FALSE(seen.contains(what.name()));
}

TEST_CASE("little memory leaves out the sizes that it does not hold") {
    constexpr std::size_t little = std::size_t{1} << 28;
    for (const GupsCase& what : calibration_cases(Effort::full, 2, little)) {
        CHECK(what.options.table_words * 8 * 2 < little);
        if (what.options.variant == GupsVariant::routed) CHECK(what.options.ranks <= 3072);
    }
}

}  // namespace
}  // namespace narrows
