#include "calibrate/study/sampling.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <utility>

#include "calibrate/measure/core_distance.hpp"
#include "model/gups/placement.hpp"
#include "model/residual_surface.hpp"

namespace narrows {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t enough = 3;     // runs of a case that had their cores
constexpr double share_of_own = 0.9;  // of its time that a run had its cores

/// The samples of a case.
struct CaseRuns {
    int runs = 0;
    int own = 0;         // that had their cores
    double seconds = 0;  // with set-up
};

CaseRuns runs_of(const std::vector<Sample>& samples, const std::string& name) {
    CaseRuns found;
    for (const Sample& taken : samples) {
        if (taken.name != name) continue;
        ++found.runs;
        found.own += taken.processor_share() >= share_of_own ? 1 : 0;
        found.seconds += std::max(taken.seconds, taken.whole_seconds);
    }
    return found;
}

// Whether its runs take so long that it is not run again, once it had its cores or has taken four times as long.
bool takes_long(const CaseRuns& has, const SamplingLimits& limits) {
    if (limits.long_seconds == 0 || has.runs == 0 || has.seconds < limits.long_seconds * has.runs) return false;
    return has.own > 0 || has.seconds >= 4 * limits.long_seconds;
}

bool has_needed(const CaseRuns& has, const SamplingLimits& limits) {
    return has.runs >= limits.least || takes_long(has, limits);
}

bool is_tight(const CaseTimes& found, const SamplingLimits& limits) {
    return static_cast<int>(found.times.size()) >= limits.least &&
           quartile_estimate(found.times).relative_half_width() <= limits.tight;
}

// Disturbed runs are made up for as far as patience reaches.
bool wants_more(const std::vector<Sample>& samples, const std::string& name, const SamplingLimits& limits) {
    const CaseRuns has = runs_of(samples, name);
    if (!has_needed(has, limits)) return true;
    if (takes_long(has, limits)) return false;
    if (has.runs >= std::max(limits.most, limits.patience)) return false;
    const CaseTimes found = case_times(samples, name, limits.quiet_probe);
    return found.quiet < limits.least || (found.quiet < limits.most && !is_tight(found, limits));
}

// Once every case has the runs that it needs, those that took more than the average of a round, set up as they are,
// wait for the others: ten short runs say more than one long one, which is more likely to be disturbed too.
void leave_out_long_ones(std::vector<const StudyCase*>& round, const std::vector<Sample>& samples,
                         const SamplingLimits& limits) {
    double together = 0;
    for (const StudyCase* what : round) {
        const CaseRuns has = runs_of(samples, what->name);
        if (!has_needed(has, limits)) return;
        together += has.seconds;
    }
    const double average = together / static_cast<double>(round.size());
    std::erase_if(round, [&](const StudyCase* what) { return runs_of(samples, what->name).seconds > average; });
}

}  // namespace

// Random updates of a table that the shared cache holds, by each core for itself and with 64 ranks that send them to
// each other: what neighbours take from cores, caches and memory, and from the way between cores, shows here. Twice as
// many repeat no better in processes that have just begun (of 100, the middle half is within 8 %, of these within 6),
// and keep a prediction waiting.
double timed_work() {
    const auto seconds = [](const GupsOptions& options) {
        const GupsRun run = run_gups(options);
        return std::min(run.seconds, run.cpu_seconds / run.workers);
    };
    GupsOptions fixed{.variant = GupsVariant::local,
                      .table_words = std::uint64_t{1} << 19,
                      .updates = std::uint64_t{1} << 19,
                      .verify = false};
    const double apart = seconds(fixed);
    fixed.variant = GupsVariant::routed;
    fixed.ranks = 64;
    fixed.shape = default_rank_shape(fixed.ranks);
    fixed.updates = std::uint64_t{1} << 17;
    return apart + seconds(fixed);
}

bool has_needed(const std::vector<Sample>& samples, const std::string& name, const SamplingLimits& limits) {
    return has_needed(runs_of(samples, name), limits);
}

double quiet_probe_seconds(const std::vector<Sample>& samples) {
    if (samples.empty()) return 0;
    std::vector<double> probes;
    for (const Sample& taken : samples) probes.push_back(taken.probe_seconds);
    const auto quartile = probes.begin() + static_cast<std::ptrdiff_t>(probes.size() / 4);
    std::nth_element(probes.begin(), quartile, probes.end());
    return *quartile;
}

std::vector<double> Sample::state() const {
    if (core_distance <= 0) return {};
    if (probe_seconds <= 0) return {std::log(core_distance)};
    // What takes a core away for a moment makes one of the two longer.
    return {std::log(core_distance), std::log(quicker_probe_seconds > 0 ? quicker_probe_seconds : probe_seconds)};
}

bool about_as_far(double one, double other) {
    return one < alike_distance * other && other < alike_distance * one;
}

bool CoreDistances::usual_beside(const Sample& sample) const {
    return usual == 0 || sample.core_distance == 0 || about_as_far(sample.core_distance, usual);
}

Sample run_in_one_state(const StudyCase& what, const Cores& cores, double& last_distance) {
    constexpr int most_runs = 3;
    constexpr double long_seconds = 0.5;
    for (int run = 1;; ++run) {
        const double before = last_distance;
        const auto begin = Clock::now();
        Sample taken = what.run();
        taken.whole_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        taken.ended = static_cast<double>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) / 1e3;
        last_distance = core_distance(cores);
        const bool both_known = before > 0 && last_distance > 0;
        taken.core_distance = both_known ? (before + last_distance) / 2 : std::max(before, last_distance);
        const bool one_state = !both_known || about_as_far(before, last_distance);
        const bool undisturbed = one_state && taken.processor_share() >= usual_share;
        if (undisturbed || run == most_runs || taken.whole_seconds > long_seconds) return taken;
    }
}

CoreDistances core_distances(const std::vector<Sample>& samples) {
    std::vector<double> known;
    for (const Sample& taken : samples) {
        if (taken.core_distance > 0) known.push_back(taken.core_distance);
    }
    if (known.empty()) return {};
    return {quantile_estimate(known, 0.25).value, quantile_estimate(known, 0.05).value,
            quantile_estimate(known, 0.95).value};
}

std::vector<std::vector<double>> states_met(const std::vector<Sample>& samples) {
    constexpr std::size_t most = 15;
    std::vector<const Sample*> runs;  // in their order in time, whatever that of their file
    for (const Sample& run : samples) {
        if (!run.state().empty()) runs.push_back(&run);
    }
    std::ranges::stable_sort(runs, {}, &Sample::ended);
    std::vector<std::vector<double>> all;
    std::vector<double> until;  // seconds of the runs so far
    for (const Sample* const run : runs) {
        until.push_back((until.empty() ? 0 : until.back()) + std::max(run->seconds, run->whole_seconds));
        all.push_back(run->state());
    }
    std::size_t numbers = all.empty() ? 0 : all.front().size();  // that all of them know
    for (const std::vector<double>& state : all) numbers = std::min(numbers, state.size());
    const std::size_t count = std::min(most, all.size());
    std::vector<std::vector<double>> some;
    for (std::size_t i = 0; i < count; ++i) {
        const double moment = until.back() * static_cast<double>(2 * i + 1) / static_cast<double>(2 * count);
        const auto run = std::lower_bound(until.begin(), until.end() - 1, moment);
        some.push_back(all[static_cast<std::size_t>(run - until.begin())]);
        some.back().resize(numbers);
    }
    return some;
}

double state_change(const std::vector<Sample>& samples) {
    constexpr double lag = 1;
    constexpr double hardly_any = 0.02;
    std::vector<std::pair<double, double>> known;  // end of the run, distance of cores
    for (const Sample& run : samples) {
        if (run.core_distance > 0 && run.ended > 0) known.emplace_back(run.ended, run.core_distance);
    }
    std::ranges::sort(known);
    double later = 0, changed_later = 0, any = 0, changed_any = 0;
    for (auto one = known.begin(); one != known.end(); ++one) {
        const auto changed = [one](const auto& other) { return about_as_far(one->second, other.second) ? 0 : 1; };
        for (auto other = one + 1; other != known.end(); ++other) {
            ++any;
            changed_any += changed(*other);
        }
        const auto at_lag = std::lower_bound(one, known.end(), std::pair(one->first + lag, 0.0));
        if (at_lag == known.end()) continue;
        ++later;
        changed_later += changed(*at_lag);
    }
    if (later == 0 || changed_any < hardly_any * any) return 0;
    return std::min(1.0, changed_later / later / (changed_any / any));
}

CaseTimes case_times(const std::vector<Sample>& samples, const std::string& name, double quiet_probe) {
    constexpr double tolerance = 0.03;
    std::vector<Sample> runs;
    for (const Sample& taken : samples) {
        if (taken.name == name) runs.push_back(taken);
    }
    std::ranges::stable_sort(runs, std::ranges::greater{}, &Sample::processor_share);
    CaseTimes found;
    for (const Sample& run : runs) {
        const double limit = std::max(share_of_own, runs.front().processor_share() - tolerance);
        if (run.processor_share() >= limit) ++found.undisturbed;
    }
    runs.resize(std::min(runs.size(), std::max(enough, static_cast<std::size_t>(found.undisturbed))));
    // What others do to shared caches and to the way between cores takes no time of a core, but shows in the probe.
    const double reference = quiet_probe > 0 ? quiet_probe : quiet_probe_seconds(samples);
    const auto off = [reference](const Sample& run) {
        return reference > 0 ? std::abs(std::log(run.probe_seconds / reference)) : 0;
    };
    const auto is_quiet = [reference, distances = core_distances(samples)](const Sample& run) {
        return run.probe_seconds >= 0.85 * reference && run.probe_seconds <= 1.1 * reference &&
               distances.usual_beside(run);
    };
    const auto noisy = std::stable_partition(runs.begin(), runs.end(), is_quiet);
    found.quiet = static_cast<int>(std::min(noisy - runs.begin(), std::ptrdiff_t{found.undisturbed}));
    std::stable_sort(noisy, runs.end(), [&off](const Sample& a, const Sample& b) { return off(a) < off(b); });
    runs.resize(std::min(runs.size(), std::max(enough, static_cast<std::size_t>(noisy - runs.begin()))));
    for (const Sample& run : runs) found.times.push_back(run.per_update());
    return found;
}

std::vector<double> times_of(const std::vector<Sample>& samples, const std::string& name, double quiet_probe) {
    return case_times(samples, name, quiet_probe).times;
}

bool others_had_cores(const std::vector<Sample>& runs) {
    const auto without =
        std::ranges::count_if(runs, [](const Sample& taken) { return taken.processor_share() < share_of_own; });
    return 2 * static_cast<std::size_t>(without) > runs.size();
}

std::vector<std::string> evidence_of_noise(const std::vector<Sample>& samples) {
    constexpr double most_disturbed = 0.1;
    constexpr int two = 2;  // that can be told from each other
    std::set<std::string> names;
    for (const Sample& taken : samples) names.insert(taken.name);
    const auto disturbed = std::ranges::count_if(names, [&](const std::string& name) {
        const CaseRuns has = runs_of(samples, name);
        const int needed = has.seconds < seconds_of_long_case * has.runs ? two : 1;
        return case_times(samples, name).undisturbed < needed;
    });
    if (static_cast<double>(disturbed) <= most_disturbed * static_cast<double>(names.size())) return {};
    return {fmt::format("in {} of {} cases fewer than {} runs had their cores to themselves", disturbed, names.size(),
                        two)};
}

Sample sample_of(const std::string& name, const RunTimes& times, std::uint64_t updates, int workers) {
    Sample taken;
    static_cast<RunTimes&>(taken) = times;
    taken.name = name;
    taken.updates = updates;
    taken.workers = workers;
    taken.processor_timed = true;
    return taken;
}

StudyCase study_case(const GupsCase& what) {
    return {what.name(), [what] {
                const GupsRun run = run_gups(what.options);
                return sample_of(what.name(), run, run.counters.updates, run.workers);
            }};
}

Sampled sample(const std::vector<StudyCase>& cases, const SamplingLimits& limits, const SamplingHooks& hooks,
               std::vector<Sample> earlier) {
    Sampled result;
    result.samples = std::move(earlier);
    std::mt19937_64 random(limits.seed);
    const Cores cores;
    double last_probe = timed_work();
    double last_distance = core_distance(cores);
    const auto begin = Clock::now();
    double probed_at = 0;
    const auto elapsed = [begin] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    std::set<std::string> refused;
    const auto has_all = [&](const StudyCase& what) {
        return refused.contains(what.name) || has_needed(result.samples, what.name, limits);
    };
    // One sample is always taken, so that even the shortest calls come to an end when each goes on where the last one
    // was.
    const auto over = [&, had = result.samples.size()] {
        return hooks.stopped() ||
               (elapsed() >= std::max(limits.seconds, limits.most_seconds) && result.samples.size() > had);
    };
    const auto wanted = [&](const StudyCase& what) {
        if (refused.contains(what.name)) return false;
        if (limits.most_seconds > limits.seconds && elapsed() >= limits.seconds) return !has_all(what);
        return wants_more(result.samples, what.name, limits);
    };
    while (!over()) {
        std::vector<const StudyCase*> round;
        for (const StudyCase& what : cases) {
            if (wanted(what)) round.push_back(&what);
        }
        leave_out_long_ones(round, result.samples, limits);
        if (round.empty()) break;
        std::shuffle(round.begin(), round.end(), random);
        for (const StudyCase* what : round) {
            if (over()) break;
            if (!wanted(*what)) continue;
            constexpr double moment = 0.02;
            if (elapsed() - probed_at > moment) last_probe = timed_work();  // others have run since
            last_distance = core_distance(cores);
            try {
                result.samples.push_back(run_in_one_state(*what, cores, last_distance));
            } catch (const InputError& error) {
                if (!hooks.refuse) throw;
                hooks.refuse(*what, error);
                refused.insert(what->name);
                std::erase_if(result.samples, [what](const Sample& taken) { return taken.name == what->name; });
                continue;
            }
            const double before = std::exchange(last_probe, timed_work());
            result.samples.back().probe_seconds = std::max(before, last_probe);
            result.samples.back().quicker_probe_seconds = std::min(before, last_probe);
            probed_at = elapsed();
            if (hooks.sink) hooks.sink(result.samples.back());
        }
    }
    result.interrupted = hooks.stopped();
    result.complete = std::ranges::all_of(cases, has_all);
    result.tight = std::ranges::all_of(cases, [&](const StudyCase& what) {
        return refused.contains(what.name) ||
               is_tight(case_times(result.samples, what.name, limits.quiet_probe), limits);
    });
    return result;
}

}  // namespace narrows
