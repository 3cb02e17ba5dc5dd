#include "model/uncertainty.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "data/library.hpp"
#include "predictions.hpp"

namespace narrows {
namespace {

PredictionOf naive(std::int64_t nodes) {
    return [nodes](const Machine& machine) { return predict_gups(machine, gups_query(GupsCode::naive, nodes)); };
}

NumberOf naive_rate(std::int64_t nodes) {
    return [nodes](const Machine& machine) { return naive(nodes)(machine).rate.si(); };
}

// The machine with the parameter known to `share` of its value, on both sides.
Machine uncertain(Machine machine, const std::string& path, double share) {
    for (Parameter& parameter : machine.parameters) {
        const double value = parameter.measure.value;
        if (parameter.path == path) parameter.interval = Interval{value * (1 - share), value * (1 + share)};
    }
    return machine;
}

double elasticity(const std::vector<Sensitivity>& found, const std::string& path) {
    const auto one = std::ranges::find_if(found, [&path](const auto& s) { return s.path == path; });
    return one == found.end() ? 0 : one->elasticity;
}

}  // namespace

TEST_CASE("without intervals that matter a prediction has none") {
    const Prediction prediction = with_interval(load_machine("bluegene-l"), naive(1024));
    CHECK_FALSE(prediction.low);
    CHECK_FALSE(prediction.high);
}

TEST_CASE("one uncertain parameter: the rates at both of its ends") {
    const Machine machine = uncertain(load_machine("bluegene-l"), "paths.mpi.send.overhead", 0.1);
    const Prediction prediction = with_interval(machine, naive(1024));
    const auto at = [&machine](const char* change) {
        return naive(1024)(with_change(machine, "paths.mpi.send.overhead", change)).rate.si();
    };
    REQUIRE(prediction.low);
    REQUIRE(prediction.high);
    CHECK(prediction.low->si() == Approx(at("1.1x")));
    CHECK(prediction.high->si() == Approx(at("0.9x")));
    CHECK(prediction.rate == naive(1024)(machine).rate);
}

TEST_CASE("independent parameters add as squares") {
    const Machine send = uncertain(load_machine("bluegene-l"), "paths.mpi.send.overhead", 0.1);
    const Machine clock = uncertain(load_machine("bluegene-l"), "node.clock", 0.05);
    const Machine both = uncertain(send, "node.clock", 0.05);
    const auto below = [](const Machine& machine) {
        const Prediction prediction = with_interval(machine, naive(1024));
        return (prediction.rate - *prediction.low).si();
    };
    CHECK(below(both) == Approx(std::hypot(below(send), below(clock))));
    CHECK(below(both) > below(send));
}

TEST_CASE("an interval holds the prediction, never reaches below zero, and one side may be empty") {
    const Machine wild = uncertain(load_machine("bluegene-l"), "node.clock", 0.999);
    const Prediction prediction = with_interval(wild, naive(1024));
    CHECK(prediction.low->si() >= 0);
    CHECK(*prediction.low < prediction.rate);
    CHECK(*prediction.high > prediction.rate);
    const Machine knee = uncertain(load_machine("bluegene-l"), "network.link.bandwidth", 0.5);
    const Prediction at_knee = with_interval(knee, naive(65536));  // only a slower link holds it back
    CHECK(at_knee.low->si() == Approx(18.3795e9 / 2).epsilon(1e-4));
    CHECK(*at_knee.high == at_knee.rate);
}

TEST_CASE("elasticities where the processor is the bottleneck: the terms' shares of the time") {
    const Machine machine = load_machine("bluegene-l");
    const Prediction prediction = naive(1024)(machine);
    const auto found = sensitivities(machine, naive_rate(1024));
    const double time = prediction.workers / prediction.rate.si();
    CHECK(elasticity(found, "node.clock") == Approx(1).margin(1e-3));
    CHECK(elasticity(found, "paths.mpi.send.overhead") ==
          Approx(-term_of(prediction, "send").si() / time).margin(1e-4));
    CHECK(elasticity(found, "paths.mpi.receive.overhead") ==
          Approx(-term_of(prediction, "receive").si() / time).margin(1e-4));
    CHECK(elasticity(found, "compute.gups.update") == Approx(-term_of(prediction, "update").si() / time).margin(1e-4));
    CHECK(elasticity(found, "network.link.bandwidth") == 0);
    CHECK(found.size() == 5);
}

TEST_CASE("elasticities come largest first, and where the network is the bottleneck its link is all") {
    const Machine fast = with_change(load_machine("bluegene-l"), "node.clock", "100x");
    const auto found = sensitivities(fast, naive_rate(1024));
    REQUIRE_FALSE(found.empty());
    CHECK(found.front().path == "network.link.bandwidth");
    CHECK(found.front().elasticity == Approx(1));
    CHECK(std::ranges::is_sorted(
        found, [](const auto& a, const auto& b) { return std::abs(a.elasticity) > std::abs(b.elasticity); }));
}

TEST_CASE("elasticities at a step are those of the side without one, at a kink both are told") {
    const Machine machine = load_machine("bluegene-l");
    const double clock = find(machine, "node.clock")->measure.value;
    const auto found_of = [&](const std::function<double(double)>& of) {
        const auto found = sensitivities(
            machine, [&](const Machine& one) { return of(find(one, "node.clock")->measure.value / clock); });
        REQUIRE(found.size() == 1);
        return found.front();
    };
    const Sensitivity up = found_of([](double x) { return x > 1 + 1e-9 ? 1.3 * x : x; });
    CHECK(up.at_step);
    CHECK(up.elasticity == Approx(1));
    const Sensitivity both = found_of([](double x) { return x > 1 + 1e-9 ? 1.3 : x < 1 - 1e-9 ? 0.7 : 1; });
    CHECK(both.at_step);
    CHECK(both.elasticity == 0);
    const Sensitivity beside = found_of([](double x) { return x > 1.005 ? 1.3 * x : x; });
    CHECK_FALSE(beside.at_step);
    CHECK(beside.elasticity == Approx(1));
    for (const double jump : {0.9995, 1.0005, 0.999}) {
        const Sensitivity small = found_of([jump](double x) { return x > 1 + 1e-9 ? jump * x : x; });
        CAPTURE(jump);
        CHECK(small.at_step);
        CHECK(small.elasticity == Approx(1));
    }
    const Sensitivity kink = found_of([](double x) { return std::min(x, 1.0); });
    CHECK_FALSE(kink.at_step);
    CHECK(kink.elasticity == Approx(0.5));
    REQUIRE(kink.kink);
    CHECK(kink.kink->first == Approx(0).margin(1e-9));
    CHECK(kink.kink->second == Approx(1));
    const Sensitivity jumping = found_of([](double x) { return 1 + 0.01 * std::sin(1e6 * x); });
    CHECK(jumping.at_step);
    CHECK(jumping.elasticity == 0);
    const Sensitivity smooth = found_of([](double x) { return std::pow(x, -1.7); });
    CHECK_FALSE(smooth.at_step);
    CHECK(smooth.elasticity == Approx(-1.7).epsilon(1e-6));
    CHECK_FALSE(smooth.kink);
    CHECK(found_of([](double x) { return std::pow(x, 3); }).elasticity == Approx(3).epsilon(1e-6));
}

TEST_CASE("what to measure better: the parameters' parts of the squared width, all of it together") {
    const Machine plain = load_machine("bluegene-l");
    for (const Sensitivity& one : sensitivities(plain, naive_rate(1024))) CHECK_FALSE(one.interval_share);
    const Machine send = uncertain(plain, "paths.mpi.send.overhead", 0.1);
    Machine both = uncertain(send, "node.clock", 0.05);
    const auto width = [](const Machine& machine) {
        const Prediction prediction = with_interval(machine, naive(1024));
        return std::hypot((prediction.rate - *prediction.low).si(), (*prediction.high - prediction.rate).si());
    };
    const auto share = [](const Machine& machine, const std::string& path) {
        double all = 0;
        double own = 0;
        for (const Sensitivity& one : sensitivities(machine, naive_rate(1024))) {
            all += one.interval_share.value_or(0);
            if (one.path == path) own = *one.interval_share;
        }
        CHECK(all == Approx(1));
        return own;
    };
    CHECK(share(both, "paths.mpi.send.overhead") == Approx(std::pow(width(send) / width(both), 2)));
    for (Parameter& parameter : both.parameters) {
        if (parameter.path != "node.clock") continue;
        parameter.correlation = -0.9;
        parameter.correlated_with = "paths.mpi.send.overhead";
    }
    CHECK(share(both, "node.clock") + share(both, "paths.mpi.send.overhead") == Approx(1));  // half of it to each
}

TEST_CASE("a count with an interval has no elasticity, and its part of the width") {
    const Machine machine = uncertain(load_machine("bluegene-l"), "node.clock", 0.05);
    const NumberOf by_count = [](const Machine& of) { return number_at(of, "node.modes.virtual-node"); };
    const auto found = sensitivities(uncertain(machine, "node.modes.virtual-node", 0.5), by_count);
    REQUIRE(found.size() == 1);
    CHECK(found.front().elasticity == 0);
    CHECK(*found.front().interval_share == Approx(1));
}

}  // namespace narrows
