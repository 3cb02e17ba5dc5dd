#include "calibrate/study/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <random>

namespace narrows {
namespace {

using Clock = std::chrono::steady_clock;

Sample run_case(const GupsCase& what) {
    const GupsRun run = run_gups(what.options);
    Sample taken;
    taken.name = what.name();
    taken.seconds = run.seconds;
    taken.cpu_seconds = run.cpu_seconds;
    taken.updates = run.counters.updates;
    taken.workers = run.workers;
    taken.involuntary_switches = run.involuntary_switches;
    return taken;
}

bool is_tight(const std::vector<double>& times, const SamplingLimits& limits) {
    return static_cast<int>(times.size()) >= limits.least &&
           median_estimate(times).relative_half_width() <= limits.tight;
}

bool wants_more(const std::vector<double>& times, const SamplingLimits& limits) {
    const int taken = static_cast<int>(times.size());
    return taken < limits.least || (taken < limits.most && !is_tight(times, limits));
}

}  // namespace

std::vector<double> times_of(const std::vector<Sample>& samples, const std::string& name) {
    std::vector<double> times;
    for (const Sample& taken : samples) {
        if (taken.name == name) times.push_back(taken.per_update());
    }
    return times;
}

Sampled sample(const std::vector<GupsCase>& cases, const SamplingLimits& limits, const SamplingHooks& hooks,
               std::vector<Sample> earlier) {
    Sampled result;
    result.samples = std::move(earlier);
    std::mt19937_64 random(limits.seed);
    const auto begin = Clock::now();
    const auto elapsed = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const auto stopped = [&hooks] { return hooks.stop != nullptr && hooks.stop->load(); };
    while (elapsed() < limits.seconds && !stopped()) {
        std::vector<const GupsCase*> round;
        for (const GupsCase& what : cases) {
            if (wants_more(times_of(result.samples, what.name()), limits)) round.push_back(&what);
        }
        if (round.empty()) break;
        std::shuffle(round.begin(), round.end(), random);
        for (const GupsCase* what : round) {
            if (elapsed() >= limits.seconds || stopped()) break;
            result.samples.push_back(run_case(*what));
            if (hooks.sink) hooks.sink(result.samples.back());
            if (hooks.progress) hooks.progress(std::min(1.0, elapsed() / limits.seconds));
        }
    }
    result.interrupted = stopped();
    result.complete = std::all_of(cases.begin(), cases.end(), [&](const GupsCase& what) {
        return static_cast<int>(times_of(result.samples, what.name()).size()) >= limits.least;
    });
    result.tight = std::all_of(cases.begin(), cases.end(), [&](const GupsCase& what) {
        return is_tight(times_of(result.samples, what.name()), limits);
    });
    return result;
}

}  // namespace narrows
