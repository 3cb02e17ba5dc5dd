#include "calibrate/study/design_sampling.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace narrows {
namespace {

// The cases that surprise most, of those that are no longer than usual with their set-up: ten others say more than a
// large table again.
std::vector<StudyCase> to_repeat(const Design& design, const Machine& machine, std::vector<StudyCase> cases,
                                 const std::vector<Sample>& samples, int count) {
    constexpr double longest = 1;
    std::set<std::string> long_ones;
    for (const Sample& taken : samples) {
        if (taken.whole_seconds > longest) long_ones.insert(taken.name);
    }
    std::erase_if(cases, [&long_ones](const StudyCase& what) { return long_ones.contains(what.name); });
    const std::map<std::string, double> found = surprises({design.space}, machine, samples);
    const auto surprise = [&found](const StudyCase& what) {
        const auto known = found.find(what.name);
        return known == found.end() ? 0 : known->second;
    };
    std::stable_sort(cases.begin(), cases.end(),
                     [&](const StudyCase& a, const StudyCase& b) { return surprise(a) > surprise(b); });
    cases.resize(std::min(cases.size(), static_cast<std::size_t>(std::max(0, count))));
    return cases;
}

void go_on_sampling(const std::vector<StudyCase>& cases, const SamplingLimits& limits, const SamplingHooks& hooks,
                    Sampled& sampled) {
    if (sampled.interrupted || limits.seconds <= 0) return;
    Sampled more = sample(cases, limits, hooks, std::move(sampled.samples));
    sampled.samples = std::move(more.samples);
    sampled.interrupted = more.interrupted;
}

std::size_t cases_run(const std::vector<StudyCase>& cases, const std::vector<Sample>& samples) {
    std::set<std::string> names;
    for (const Sample& taken : samples) names.insert(taken.name);
    return static_cast<std::size_t>(
        std::count_if(cases.begin(), cases.end(), [&](const StudyCase& what) { return names.contains(what.name); }));
}

// How many cases of a space have samples.
std::size_t known_cases(const CaseSpace& space, const Machine& machine, const std::vector<Sample>& samples) {
    std::set<std::string> names;
    for (const Sample& taken : samples) {
        if (space.predicted(machine, taken.name)) names.insert(taken.name);
    }
    return names.size();
}

}  // namespace

DesignCount sample_design(const Design& design, const Machine& machine, const CaseLimits& limits,
                          const TimeLimit& limit, const SamplingHooks& hooks, Sampled& sampled) {
    constexpr std::array first_visits = {0.15, 0.65};
    constexpr int most_visits = 3;
    constexpr double of_repeats = 0.1;
    const double seconds = limit.at_most(design.seconds);
    const auto count = [&](double share) { return static_cast<int>(share * seconds / design.seconds_of_case); };
    std::size_t known = known_cases(design.space, machine, sampled.samples);
    std::vector<StudyCase> cases;
    std::size_t planned = 0;      // if there were time for all
    Machine corrected = machine;  // by the runs so far: others take about the time that they are to take
    SamplingLimits visits;
    visits.least = visits.most = 1;
    for (const double share : first_visits) {
        const std::vector<StudyCase> more = design_cases(design.space, corrected, limits, count(share), known);
        known += static_cast<std::size_t>(count(share));
        visits.seconds = limit.at_most(share * seconds);
        go_on_sampling(more, visits, hooks, sampled);
        cases.insert(cases.end(), more.begin(), more.end());
        const auto impossible = static_cast<std::size_t>(count(share)) - more.size();
        planned += static_cast<std::size_t>(share * design.seconds / design.seconds_of_case) - impossible;
        corrected.residuals = fit_residuals({design.space}, machine, sampled.samples);
    }
    for (const int times : {2, most_visits}) {
        visits.least = visits.most = times;
        visits.seconds = limit.at_most(of_repeats * seconds);
        go_on_sampling(to_repeat(design, machine, cases, sampled.samples, count(of_repeats)), visits, hooks, sampled);
    }
    return {planned, cases_run(cases, sampled.samples)};
}

}  // namespace narrows
