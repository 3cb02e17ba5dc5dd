#include "calibrate/study/sampling.hpp"

#include <algorithm>
#include <chrono>
#include <random>

namespace narrows {
namespace {

using Clock = std::chrono::steady_clock;

// Random updates of a table that the shared cache holds: what a neighbour takes from cores, cache and memory shows
// here.
double probe() {
    GupsOptions fixed;
    fixed.variant = GupsVariant::local;
    fixed.table_words = std::uint64_t{1} << 20;
    fixed.updates = std::uint64_t{1} << 22;
    fixed.verify = false;
    return run_gups(fixed).seconds;
}

Sample run_case(const GupsCase& what, double& last_probe) {
    const double before = last_probe;
    const GupsRun run = run_gups(what.options);
    last_probe = probe();
    Sample taken;
    taken.probe_seconds = std::max(before, last_probe);
    taken.name = what.name();
    taken.seconds = run.seconds;
    taken.cpu_seconds = run.cpu_seconds;
    taken.updates = run.counters.updates;
    taken.workers = run.workers;
    taken.involuntary_switches = run.involuntary_switches;
    return taken;
}

double slowest_quiet_probe(const std::vector<Sample>& samples) {
    constexpr double tolerance = 1.15;
    return tolerance * quiet_probe_seconds(samples);
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

double quiet_probe_seconds(const std::vector<Sample>& samples) {
    if (samples.empty()) return 0;
    std::vector<double> probes;
    for (const Sample& taken : samples) probes.push_back(taken.probe_seconds);
    const auto quartile = probes.begin() + static_cast<std::ptrdiff_t>(probes.size() / 4);
    std::nth_element(probes.begin(), quartile, probes.end());
    return *quartile;
}

std::vector<double> times_of(const std::vector<Sample>& samples, const std::string& name) {
    constexpr std::size_t enough = 3;
    const double limit = slowest_quiet_probe(samples);
    std::vector<double> all;
    std::vector<double> quiet;
    for (const Sample& taken : samples) {
        if (taken.name != name) continue;
        all.push_back(taken.per_update());
        if (taken.probe_seconds <= limit) quiet.push_back(taken.per_update());
    }
    return quiet.size() >= enough ? quiet : all;
}

double disturbed_share(const std::vector<Sample>& samples) {
    if (samples.empty()) return 0;
    const double limit = slowest_quiet_probe(samples);
    const auto slow = std::count_if(samples.begin(), samples.end(),
                                    [limit](const Sample& taken) { return taken.probe_seconds > limit; });
    return static_cast<double>(slow) / static_cast<double>(samples.size());
}

Sampled sample(const std::vector<GupsCase>& cases, const SamplingLimits& limits, const SamplingHooks& hooks,
               std::vector<Sample> earlier) {
    Sampled result;
    result.samples = std::move(earlier);
    std::mt19937_64 random(limits.seed);
    double last_probe = probe();
    const auto begin = Clock::now();
    const auto elapsed = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const auto stopped = [&hooks] { return hooks.stop != nullptr && hooks.stop->load(); };
    const auto taken = [&result](const GupsCase& what) {
        return static_cast<int>(times_of(result.samples, what.name()).size());
    };
    // One sample is always taken, so that even the shortest calls come to an end when each goes on where the last one
    // was.
    const auto over = [&, had = result.samples.size()] {
        return stopped() || (elapsed() >= std::max(limits.seconds, limits.most_seconds) && result.samples.size() > had);
    };
    const auto wanted = [&](const GupsCase& what) {
        if (limits.most_seconds > limits.seconds && elapsed() >= limits.seconds) return taken(what) < limits.least;
        return wants_more(times_of(result.samples, what.name()), limits);
    };
    while (!over()) {
        std::vector<const GupsCase*> round;
        for (const GupsCase& what : cases) {
            if (wanted(what)) round.push_back(&what);
        }
        if (round.empty()) break;
        std::shuffle(round.begin(), round.end(), random);
        for (const GupsCase* what : round) {
            if (over()) break;
            if (!wanted(*what)) continue;
            result.samples.push_back(run_case(*what, last_probe));
            if (hooks.sink) hooks.sink(result.samples.back());
            if (hooks.progress) hooks.progress(std::min(1.0, elapsed() / limits.seconds));
        }
    }
    result.interrupted = stopped();
    result.complete =
        std::all_of(cases.begin(), cases.end(), [&](const GupsCase& what) { return taken(what) >= limits.least; });
    result.tight = std::all_of(cases.begin(), cases.end(), [&](const GupsCase& what) {
        return is_tight(times_of(result.samples, what.name()), limits);
    });
    return result;
}

}  // namespace narrows
