#include <catch2/catch.hpp>
#include <cmath>

#include "calibrate/measure/core_distance.hpp"
#include "calibrate/measure/elapsed.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/residual_surface.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

GupsCase small_case(std::uint64_t updates) {
    GupsCase what;
    what.options.variant = GupsVariant::sequential;
    what.options.table_words = 1024;
    what.options.updates = updates;
    what.options.verify = false;
    what.options.workers = 1;
    return what;
}

Sampled sample(const std::vector<GupsCase>& cases, const SamplingLimits& limits, const SamplingHooks& hooks,
               std::vector<Sample> earlier = {}) {
    std::vector<StudyCase> all;
    for (const GupsCase& what : cases) all.push_back(study_case(what));
    return narrows::sample(all, limits, hooks, std::move(earlier));
}

SamplingLimits three_each() {
    SamplingLimits limits;
    limits.least = 3;
    limits.most = 3;
    return limits;
}

// A run of a second whose worker had its core for `share` of it.
Sample run_with(const std::string& name, double share, double nanoseconds) {
    Sample taken;
    taken.name = name;
    taken.seconds = 1;
    taken.cpu_seconds = share;
    taken.updates = static_cast<std::uint64_t>(1e9 / nanoseconds);
    return taken;
}

TEST_CASE("the runs that count are those whose threads had their cores") {
    const std::vector<Sample> samples = {run_with("a", 0.80, 50), run_with("a", 0.99, 10), run_with("a", 0.97, 20),
                                         run_with("b", 0.99, 99), run_with("a", 1.00, 12.5)};
    const CaseTimes found = case_times(samples, "a");
    CHECK(found.undisturbed == 3);
    REQUIRE(found.times.size() == 3);
    CHECK(found.times[0] == Approx(12.5e-9));  // in the order of their shares, not of their times
    CHECK(found.times[1] == Approx(10e-9));
    CHECK(found.times[2] == Approx(20e-9));
}

TEST_CASE("of the runs that had their cores those count beside which the probe was quiet") {
    std::vector<Sample> samples;
    const auto add = [&samples](double nanoseconds, double share, double probe) {
        samples.push_back(run_with("a", share, nanoseconds));
        samples.back().probe_seconds = probe;
    };
    add(20, 1.00, 1.5);
    add(10, 0.99, 1.0);
    add(11, 0.99, 1.05);
    add(12, 1.00, 0.9);
    add(50, 0.50, 1.0);
    add(15, 1.00, 1.3);
    const CaseTimes found = case_times(samples, "a");  // the first quartile of the probes is 1
    CHECK(found.undisturbed == 5);
    CHECK(found.quiet == 3);
    REQUIRE(found.times.size() == 3);
    for (const double time : found.times) CHECK(time < 13e-9);
    // In another state those that come closest to it.
    const CaseTimes slower = case_times(samples, "a", 1.4);
    CHECK(slower.quiet == 2);
    REQUIRE(slower.times.size() == 3);
    CHECK(slower.times[0] == Approx(20e-9));
    CHECK(slower.times[1] == Approx(15e-9));
    CHECK(slower.times[2] == Approx(11e-9));
}

TEST_CASE("a case whose threads wait by nature is measured by its best runs") {
    const std::vector<Sample> samples = {run_with("a", 0.93, 10), run_with("a", 0.92, 11), run_with("a", 0.91, 12),
                                         run_with("a", 0.5, 30)};
    CHECK(case_times(samples, "a").undisturbed == 3);
    CHECK(evidence_of_noise(samples).empty());
}

TEST_CASE("where too few runs had their cores the three that came closest count and the noise is told") {
    const std::vector<Sample> samples = {run_with("a", 0.5, 40), run_with("a", 0.95, 10), run_with("a", 0.7, 20),
                                         run_with("a", 0.6, 30)};
    const CaseTimes found = case_times(samples, "a");
    CHECK(found.undisturbed == 1);
    REQUIRE(found.times.size() == 3);
    CHECK(found.times[2] == Approx(30e-9));
    CHECK(evidence_of_noise(samples) ==
          std::vector<std::string>{"in 1 of 1 cases fewer than 2 runs had their cores to themselves"});
    CHECK(evidence_of_noise(std::vector<Sample>{}).empty());
    CHECK(times_of(samples, "unknown").empty());
}

TEST_CASE("runs of which most were without their cores tell nothing") {
    CHECK_FALSE(others_had_cores({}));
    CHECK_FALSE(others_had_cores({run_with("a", 0.5, 20), run_with("a", 0.95, 10)}));
    CHECK(others_had_cores({run_with("a", 0.5, 20), run_with("a", 0.6, 30), run_with("a", 0.95, 10)}));
}

TEST_CASE("what others take from the cores is no cost of an update where its processor times it") {
    Sample taken = run_with("a", 0.8, 10);
    CHECK(taken.per_update() == Approx(10e-9));
    taken.processor_timed = true;
    CHECK(taken.per_update() == Approx(8e-9));
    CHECK(taken.wall_per_update() == Approx(10e-9));
}

TEST_CASE("a run whose cores others have is made again, twice at most, if it is short") {
    const Cores one("pack:1 core:1 pu:1");
    double distance = 0;
    int runs = 0;
    const auto made_with = [&](std::vector<double> shares) {
        runs = 0;
        return run_in_one_state({"a", [&] { return run_with("a", shares.at(static_cast<std::size_t>(runs++)), 10); }},
                                one, distance)
            .processor_share();
    };
    CHECK(made_with({0.8, 1.0}) == Approx(1.0));
    CHECK(runs == 2);
    CHECK(made_with({0.97}) == Approx(0.97));
    CHECK(runs == 1);
    CHECK(made_with({0.8, 0.5, 0.7}) == Approx(0.7));
    CHECK(runs == 3);
    const StudyCase slow = {"a", [&] {
                                ++runs;
                                std::this_thread::sleep_for(std::chrono::milliseconds(510));
                                return run_with("a", 0.8, 10);
                            }};
    runs = 0;
    run_in_one_state(slow, one, distance);
    CHECK(runs == 1);
}

TEST_CASE("the first run has the distance of cores that is measured behind it") {
    const Cores all;
    double distance = 0;  // not known yet
    const Sample first = run_in_one_state({"a", [] { return run_with("a", 1, 10); }}, all, distance);
    CHECK(first.core_distance == distance);
}

TEST_CASE("every case gets its samples and every sample reaches the sink") {
    const std::vector<GupsCase> cases = {small_case(4096), small_case(8192)};
    int kept = 0;
    SamplingHooks hooks;
    hooks.sink = [&kept](const Sample&) { ++kept; };
    const Sampled sampled = sample(cases, three_each(), hooks);
    CHECK(sampled.complete);
    CHECK_FALSE(sampled.interrupted);
    CHECK(sampled.samples.size() == 6);
    CHECK(kept == 6);
    for (const GupsCase& what : cases) {
        for (const double time : times_of(sampled.samples, what.name())) CHECK(time > 0);
    }
}

TEST_CASE("disturbed runs are made up for as far as patience reaches") {
    const GupsCase what = small_case(4096);
    SamplingLimits limits = three_each();
    const std::vector<Sample> disturbed(3, run_with(what.name(), 0.5, 10));
    CHECK(sample({what}, limits, {}, disturbed).samples.size() == 3);
    limits.patience = 5;
    const std::size_t runs = sample({what}, limits, {}, disturbed).samples.size();
    CHECK(runs == 5);  // two are not three, disturbed or not
}

TEST_CASE("a case of long runs, or long to set up, gets its least, and waits while those of short ones are repeated") {
    const GupsCase longer = small_case(8192), shorter = small_case(4096);
    SamplingLimits limits = three_each();
    limits.patience = 6;
    std::vector<Sample> earlier(3, run_with(shorter.name(), 0.5, 10));
    for (Sample& taken : earlier) {
        taken.seconds *= 1e-3;
        taken.cpu_seconds *= 1e-3;
    }
    const bool long_to_set_up = GENERATE(false, true);
    Sample second = run_with(longer.name(), 0.5, 10);
    if (long_to_set_up) {
        second = earlier.front();
        second.name = longer.name();
        second.whole_seconds = 1;
    }
    earlier.resize(6, second);
    std::vector<std::string> order;
    SamplingHooks hooks;
    hooks.sink = [&order](const Sample& taken) { order.push_back(taken.name); };
    sample({longer, shorter}, limits, hooks, earlier);
    REQUIRE(order.size() == 6);
    for (std::size_t i = 0; i < 3; ++i) CHECK(order[i] == shorter.name());
    for (std::size_t i = 3; i < 6; ++i) CHECK(order[i] == longer.name());
}

TEST_CASE("a stop ends sampling after the run under way and keeps what was taken") {
    std::atomic<bool> stop = false;
    SamplingHooks hooks;
    hooks.stop = &stop;
    hooks.sink = [&stop](const Sample&) { stop = true; };
    const Sampled sampled = sample({small_case(4096), small_case(8192)}, three_each(), hooks);
    CHECK(sampled.interrupted);
    CHECK_FALSE(sampled.complete);
    CHECK(sampled.samples.size() == 1);
}

TEST_CASE("a case that cannot be run is told and left out, or ends sampling") {
    const std::vector<StudyCase> cases = {study_case(small_case(4096)),
                                          {"too large", []() -> Sample { throw InputError("memory is short"); }}};
    SamplingHooks hooks;
    std::vector<std::string> told;
    hooks.refuse = [&told](const StudyCase& what, const InputError& error) {
        told.push_back(what.name + ": " + error.what());
    };
    const Sampled sampled = narrows::sample(cases, three_each(), hooks);
    CHECK(told == std::vector<std::string>{"too large: memory is short"});
    CHECK(sampled.complete);
    CHECK(sampled.samples.size() >= 3);
    for (const Sample& taken : sampled.samples) CHECK(taken.name == cases.front().name);
    CHECK_THROWS_WITH(narrows::sample(cases, three_each(), {}), "memory is short");
}

TEST_CASE("samples of an earlier session count") {
    const std::vector<GupsCase> cases = {small_case(4096)};
    const Sampled first = sample(cases, three_each(), {});
    int taken = 0;
    SamplingHooks hooks;
    hooks.sink = [&taken](const Sample&) { ++taken; };
    const Sampled second = sample(cases, three_each(), hooks, first.samples);
    CHECK(taken == 0);
    CHECK(second.complete);
    CHECK(second.samples.size() == 3);
}

TEST_CASE("one run is made when the time is used up so that short calls come to an end") {
    SamplingLimits limits;
    limits.seconds = 0;
    const Sampled sampled = sample({small_case(4096)}, limits, {});
    CHECK(sampled.samples.size() == 1);
    CHECK_FALSE(sampled.complete);
    CHECK_FALSE(sampled.interrupted);
    CHECK(sample({small_case(4096)}, limits, {}, sampled.samples).samples.size() == 2);

    limits.most_seconds = 1000;  // what is needed is run all the same, and no more
    const Sampled needed = sample({small_case(4096)}, limits, {});
    CHECK(needed.samples.size() == static_cast<std::size_t>(limits.least));
    CHECK(needed.complete);
}

TEST_CASE("a case that takes long needs one run that had its cores") {
    SamplingLimits limits = three_each();
    limits.seconds = 0;
    limits.most_seconds = 1000;
    limits.long_seconds = 1;
    CHECK(has_needed({run_with("a", 1, 10)}, "a", limits));
    CHECK_FALSE(has_needed({run_with("a", 0.5, 10)}, "a", limits));
    CHECK(has_needed({run_with("a", 0.5, 10), run_with("a", 1, 10)}, "a", limits));
    CHECK_FALSE(has_needed({run_with("b", 1, 10)}, "a", limits));
    Sample never_own = run_with("a", 0.5, 10);
    never_own.whole_seconds = 3.9;
    CHECK_FALSE(has_needed({never_own}, "a", limits));
    never_own.whole_seconds = 4;
    CHECK(has_needed({never_own}, "a", limits));
    limits.long_seconds = 2;
    CHECK_FALSE(has_needed({run_with("a", 1, 10)}, "a", limits));
    Sample set_up = run_with("a", 1, 10);
    set_up.whole_seconds = 2;
    CHECK(has_needed({set_up}, "a", limits));
    set_up.whole_seconds = 0.9 * seconds_of_long_case;
    CHECK(evidence_of_noise({set_up}).size() == 1);
    set_up.whole_seconds = seconds_of_long_case;
    CHECK(evidence_of_noise({set_up}).empty());

    limits.long_seconds = 1e-9;
    const Sampled sampled = sample({small_case(1 << 20)}, limits, {});
    CHECK(sampled.complete);
    CHECK(sampled.samples.size() == 1);
}

TEST_CASE("runs beside which cores were farther apart than usual do not count where there are others") {
    std::vector<Sample> samples;
    for (const double distance : {60.0, 60.0, 62.0, 58.0, 61.0, 250.0, 260.0}) {
        samples.push_back(run_with("a", 1, distance > 100 ? 30 : 10));
        samples.back().probe_seconds = 1;
        samples.back().core_distance = distance * 1e-9;
    }
    const CaseTimes found = case_times(samples, "a");
    CHECK(found.quiet == 5);
    CHECK(found.times.size() == 5);
    for (const double time : found.times) CHECK(time == Approx(10e-9));
    const CoreDistances distances = core_distances(samples);
    CHECK(distances.usual == Approx(60e-9).epsilon(0.05));
    CHECK(distances.most > 240e-9);
    CHECK_FALSE(distances.usual_beside(samples.back()));
    CHECK(CoreDistances().usual_beside(samples.back()));
}

TEST_CASE("how often the state changes is told from moments a second apart") {
    const auto samples_by = [](int together) {  // runs that end each half a second, so many at one distance
        std::vector<Sample> samples;
        for (int i = 0; i < 400; ++i) {
            samples.push_back(run_with("a", 1, 10));
            samples.back().core_distance = i / together % 2 == 0 ? 60e-9 : 240e-9;
            samples.back().ended = 1e9 + 0.5 * i;
        }
        return samples;
    };
    // Two runs later one of twenty is at another distance; half of all moments are.
    CHECK(state_change(samples_by(40)) == Approx(0.1).epsilon(0.1));
    CHECK(state_change(samples_by(2)) == 1);
    CHECK(state_change(samples_by(400)) == 0);
    CHECK(state_change({}) == 0);
    std::vector<Sample> of_earlier_programs = samples_by(40);
    for (Sample& one : of_earlier_programs) one.ended = 0;
    CHECK(state_change(of_earlier_programs) == 0);
}

TEST_CASE("the usual state is that of most of the runs' time, not of most runs") {
    std::vector<Sample> samples;
    for (const double distance : {60.0, 62.0, 58.0, 160.0, 150.0, 61.0}) {
        samples.push_back(run_with("a", 1, 10));
        samples.back().core_distance = distance * 1e-9;
        samples.back().whole_seconds = distance > 100 ? 5 : 0.1;
    }
    CHECK(std::exp(usual_state(states_met(samples)).front()) == Approx(155e-9).epsilon(0.04));
    for (Sample& taken : samples) taken.seconds = taken.whole_seconds = 0.1;
    CHECK(std::exp(usual_state(states_met(samples)).front()) == Approx(60e-9).epsilon(0.04));
    CHECK(states_met(samples).size() == samples.size());
    // A file's order of lines is not that of time.
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].ended = 1e9 + static_cast<double>(i);
    const auto in_time = states_met(samples);
    std::swap(samples[1], samples[3]);
    CHECK(states_met(samples) == in_time);
    for (Sample& taken : samples) taken.core_distance = 0;
    CHECK(states_met(samples).empty());
    CHECK(usual_state({}).empty());
}

TEST_CASE("a cache line takes some nanoseconds from core to core") {
    const Cores cores;
    constexpr double most_seconds = 10;
    const double begin = wall_seconds();
    const double distance = core_distance(cores, most_seconds);
    if (cores.count() == 1) {
        CHECK(distance == 0);
    } else if (distance == 0) {  // others had the cores all that time
        CHECK(wall_seconds() - begin >= most_seconds);
    } else {
        CHECK(distance > 1e-9);
        CHECK(distance < 1e-3);
    }
}

}  // namespace
}  // namespace narrows
