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
    std::ranges::stable_sort(cases, [&](const StudyCase& a, const StudyCase& b) { return surprise(a) > surprise(b); });
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
        std::ranges::count_if(cases, [&](const StudyCase& what) { return names.contains(what.name); }));
}

// How many cases of a space have samples.
std::size_t known_cases(const CaseSpace& space, const Machine& machine, const std::vector<Sample>& samples) {
    std::set<std::string> names;
    for (const Sample& taken : samples) {
        if (space.predicted(machine, taken.name)) names.insert(taken.name);
    }
    return names.size();
}

// A design while its cases are run.
struct Begun {
    Design design;
    Machine corrected;  // by the runs of the first turn: others take about the time that they are to take
    std::size_t known;
    std::vector<StudyCase> cases = {};
    std::size_t planned = 0;  // if there were time for all
};

// A part of the time of every design.
struct Turn {
    double share;
    int times;  // that a case is run, those that surprise most where that is more than once
};

void take_turn(Begun& begun, const Turn& turn, double seconds, const Machine& machine, const CaseLimits& limits,
               const SamplingHooks& hooks, Sampled& sampled) {
    const auto count = static_cast<std::size_t>(seconds / begun.design.seconds_of_case);
    SamplingLimits visits;
    visits.least = visits.most = turn.times;
    visits.seconds = seconds;
    if (turn.times > 1) {
        const auto repeated = to_repeat(begun.design, machine, begun.cases, sampled.samples, static_cast<int>(count));
        return go_on_sampling(repeated, visits, hooks, sampled);
    }
    const std::vector<StudyCase> more =
        design_cases(begun.design.space, begun.corrected, limits, static_cast<int>(count), begun.known);
    begun.known += count;
    go_on_sampling(more, visits, hooks, sampled);
    begun.cases.insert(begun.cases.end(), more.begin(), more.end());
    const std::size_t impossible = count - more.size();
    begun.planned +=
        static_cast<std::size_t>(turn.share * begun.design.seconds / begun.design.seconds_of_case) - impossible;
}

}  // namespace

DesignCount sample_designs(const std::vector<Design>& designs, const Machine& machine, const CaseLimits& limits,
                           const TimeLimit& limit, const SamplingHooks& hooks, Sampled& sampled) {
    constexpr std::array turns = {Turn{0.15, 1}, Turn{0.2, 1}, Turn{0.2, 1}, Turn{0.25, 1}, Turn{0.1, 2}, Turn{0.1, 3}};
    std::vector<Begun> all;
    double wanted = 0;  // seconds
    for (const Design& design : designs) {
        all.push_back({design, machine, known_cases(design.space, machine, sampled.samples)});
        wanted += design.seconds;
    }
    for (const Turn& turn : turns) {
        // Of what is left, each has its share.
        const double part = wanted > 0 ? limit.at_most(wanted) / wanted : 1;
        for (Begun& one : all) {
            if (sampled.interrupted) break;
            const double seconds = limit.at_most(part * turn.share * one.design.seconds);
            take_turn(one, turn, seconds, machine, limits, hooks, sampled);
            wanted -= turn.share * one.design.seconds;
            if (&turn == turns.data())
                one.corrected.residuals = fit_residuals({one.design.space}, machine, sampled.samples);
        }
    }
    DesignCount found;
    for (const Begun& one : all) {
        found.planned += one.planned;
        found.done += cases_run(one.cases, sampled.samples);
    }
    return found;
}

}  // namespace narrows
