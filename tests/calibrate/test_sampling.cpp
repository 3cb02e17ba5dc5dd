#include <catch2/catch.hpp>

#include "calibrate/study/sampling.hpp"

namespace narrows {
namespace {

GupsCase small_case(std::uint64_t updates) {
    GupsCase what;
    what.role = GupsRole::update;
    what.options.variant = GupsVariant::sequential;
    what.options.table_words = 1024;
    what.options.updates = updates;
    what.options.verify = false;
    what.options.workers = 1;
    return what;
}

SamplingLimits three_each() {
    SamplingLimits limits;
    limits.least = 3;
    limits.most = 3;
    return limits;
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

}  // namespace
}  // namespace narrows
