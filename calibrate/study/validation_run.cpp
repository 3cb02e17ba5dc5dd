#include "calibrate/study/validated_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

#include "calibrate/measure/noise.hpp"
#include "calibrate/measure/time_limit.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/sampling.hpp"
#include "calibrate/study/state_now.hpp"
#include "model/residual_surface.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

CaseLimits case_limits(const ValidationChoice& choice) {
    CaseLimits limits{.workers = Cores().count(), .most_ranks = choice.most_ranks, .memory = choice.memory};
    return limits;
}

// Draws cases until there are enough, or hardly any new ones are left. Those that cannot be predicted are told.
void draw(const Machine& machine, const ValidatedWorkload& workload, ValidationPlan& plan) {
    std::mt19937_64 random(plan.choice.seed);
    // The same on every machine, as std::uniform_real_distribution need not be.
    const UnitNumbers next = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    const CaseLimits limits = case_limits(plan.choice);
    constexpr int most_known = 1000;  // draws in a row
    int known_draws = 0;
    while (static_cast<int>(plan.runs.size() + plan.refused.size()) < plan.choice.cases) {
        if (known_draws == most_known) {
            plan.refused.push_back(
                fmt::format("further cases: {} draws gave none but the same {}", most_known, plan.runs.size()));
            return;
        }
        const DrawnCase drawn = workload.draw(machine, next, limits);
        try {
            PlannedRun run = drawn.planned();
            run.expected.predicted = run.predict(machine);
            const bool known = std::ranges::any_of(
                plan.runs, [&run](const PlannedRun& other) { return other.what.name == run.what.name; });
            known_draws = known ? known_draws + 1 : 0;
            if (!known) plan.runs.push_back(std::move(run));
        } catch (const InputError& error) {
            plan.refused.push_back(fmt::format("{}: {}", drawn.name, error.what()));
        }
    }
}

// Seconds of the probe beside the runs of the machine's calibration.
std::optional<double> probe_of(const Machine& machine) {
    const char* probe = "compute.gups.route.probe";
    return find(machine, probe) != nullptr ? std::optional(time_at(machine, probe).si()) : std::nullopt;
}

constexpr double much_slower = 1.25;

// Of the runs, those beside which the probe was much slower than that of the calibration.
double slow_share(const std::vector<Sample>& samples, double quiet_probe) {
    const auto slow = std::ranges::count_if(
        samples, [quiet_probe](const Sample& taken) { return taken.probe_seconds > much_slower * quiet_probe; });
    return samples.empty() ? 0 : static_cast<double>(slow) / static_cast<double>(samples.size());
}

// Whether cores were at another distance from each other than beside the calibration's runs: what ranks wait for each
// other follows that. Predictions for each run's state are only wrong of longer distances than all that were met.
std::optional<std::string> other_distance(const Machine& machine, const std::vector<Sample>& samples,
                                          bool of_each_state) {
    constexpr double alike = 1.5;
    constexpr double nano = 1e-9;
    const auto known = std::ranges::find_if(machine.residuals,
                                            [](const ResidualSurface& one) { return !one.measured().states.empty(); });
    std::vector<double> distances;
    for (const Sample& taken : samples) {
        if (taken.core_distance > 0) distances.push_back(taken.core_distance);
    }
    if (known == machine.residuals.end() || distances.empty()) return std::nullopt;
    const double now = median_estimate(distances).value;
    const auto& states = known->measured().states;
    const double then =
        std::exp(of_each_state ? std::ranges::max_element(states)->front() : usual_state(states).front());
    if (now < alike * then && (of_each_state || then < alike * now)) return std::nullopt;
    return fmt::format(
        "a cache line took {:.0f} ns from core to core beside the runs, {}{:.0f} ns in the calibration: the "
        "machine was in another state",
        now / nano, of_each_state ? "at most " : "", then / nano);
}

// A neighbour's share in what was measured: seen by the probe of the cores, and by the pieces of work beside the runs,
// which took a known time when the machine was calibrated.
std::vector<std::string> noise_of(const Machine& machine, const CoreProbe& before, const std::vector<Sample>& samples) {
    constexpr double most_slow = 0.1;
    std::vector<std::string> evidence = evidence_of_noise(before);
    for (const std::string& line : evidence_of_noise(samples)) evidence.push_back(line);
    if (const double slow = slow_share(samples, probe_of(machine).value_or(quiet_probe_seconds(samples)));
        slow > most_slow) {
        evidence.push_back(
            fmt::format("beside {:.0f} % of the runs the probe took more than {:.3g} times as long as in "
                        "the calibration: other programs use the cores, or the path between them, from time to time",
                        100 * slow, much_slower));
    }
    const double slowdown = quiet_probe_seconds(samples) / probe_of(machine).value_or(quiet_probe_seconds(samples));
    if (slowdown > much_slower || slowdown < 1 / much_slower) {
        evidence.push_back(
            fmt::format("the probe beside the runs took {:.2g} times as long as in the calibration: they were "
                        "not taken on the same machine in the same state",
                        slowdown));
    }
    return evidence;
}

// All runs of a case, from the shortest to the longest.
std::vector<Sample> sorted_runs(const std::vector<Sample>& samples, const std::string& name) {
    std::vector<Sample> runs;
    for (const Sample& taken : samples) {
        if (taken.name == name) runs.push_back(taken);
    }
    std::ranges::sort(runs, {}, &Sample::wall_per_update);
    return runs;
}

// The median of all runs of a case, or the first quartile of those in the state that its machine was calibrated in.
OrderEstimate measured_time(const std::vector<Sample>& samples, const std::string& name, bool drawn,
                            double quiet_probe) {
    if (!drawn) return quartile_estimate(times_of(samples, name, quiet_probe));
    std::vector<double> times;
    for (const Sample& taken : sorted_runs(samples, name)) times.push_back(taken.wall_per_update());
    return median_estimate(times);
}

std::vector<StudyCase> cases_of(const ValidationPlan& plan) {
    std::vector<StudyCase> cases;
    for (const PlannedRun& run : plan.runs) cases.push_back(run.what);
    return cases;
}

// All runs of one case, then those of the next, in random order: a machine's state lasts for some of them.
Sampled sample_each(const Machine& machine, ValidationPlan& plan, SamplingLimits limits, const SamplingHooks& hooks) {
    std::vector<PlannedRun*> order;
    for (PlannedRun& run : plan.runs) order.push_back(&run);
    std::mt19937_64 random(limits.seed);
    std::shuffle(order.begin(), order.end(), random);
    const TimeLimit all(limits.most_seconds);
    Sampled sampled;
    sampled.complete = true;
    for (PlannedRun* run : order) {
        if (!plan.frozen) run->expected.predicted = run->predict(as_it_is_now(machine));
        limits.most_seconds = all.left();
        Sampled more = sample({run->what}, limits, hooks, std::move(sampled.samples));
        sampled.samples = std::move(more.samples);
        sampled.complete = sampled.complete && more.complete;
    }
    return sampled;
}

}  // namespace

bool PredictedFigure::holds(double measured) const {
    return low && high && *low <= measured && measured <= *high;
}

double PredictedFigure::half_width() const {
    return low && high ? (*high - *low) / 2 / value : 0;
}

ValidationPlan plan_validation(const ValidatedWorkload& workload, const Machine& machine,
                               const ValidationChoice& asked) {
    ValidationPlan plan;
    plan.choice = asked;
    if (asked.memory == 0) plan.choice.memory = available_memory();
    plan.title = workload.title;
    plan.figures = workload.figures;
    if (asked.usual) {
        plan.runs = workload.usual(machine, case_limits(plan.choice));
        for (PlannedRun& run : plan.runs) run.expected.predicted = run.predict(machine);
    } else {
        draw(machine, workload, plan);
    }
    if (!plan.runs.empty()) return plan;
    if (!plan.refused.empty()) throw InputError(fmt::format("no case can be predicted: {}", plan.refused.front()));
    throw InputError(fmt::format("no size of up to {} ranks is free of the fit", asked.most_ranks));
}

Validation validate_here(const Machine& machine, ValidationPlan plan, const ValidationLimits& allowed,
                         const std::function<void(double)>& progress) {
    const bool drawn = !plan.choice.usual;
    const CoreProbe before = settled_probe(Cores().count());
    const double quiet_probe = probe_of(machine).value_or(0);
    SamplingLimits limits;
    limits.quiet_probe = quiet_probe;
    limits.seconds = allowed.seconds;
    limits.most_seconds = drawn ? 7200 : 1800;
    limits.least = limits.most = allowed.repeats;
    limits.patience = drawn ? 0 : std::numeric_limits<int>::max();
    limits.seed = plan.choice.seed;
    double taken = 0;
    const double wanted = static_cast<double>(plan.runs.size()) * allowed.repeats;
    SamplingHooks hooks;
    hooks.sink = [&](const Sample&) { progress(std::min(0.99, ++taken / wanted)); };
    std::vector<std::string> refused = plan.refused;
    hooks.refuse = [&refused](const StudyCase& what, const InputError& error) {
        refused.push_back(fmt::format("{}: {}", what.name, error.what()));
    };
    const KeptMemory kept(available_memory() / 2);
    const Sampled sampled = drawn ? sample_each(machine, plan, limits, hooks) : sample(cases_of(plan), limits, hooks);
    if (!sampled.complete) {
        throw std::runtime_error(
            fmt::format("the runs took longer than {:.0f} minutes: give fewer ranks", limits.most_seconds / 60));
    }
    if (sampled.samples.empty() && !refused.empty()) {
        throw InputError(fmt::format("no case could be run: {}", refused.back()));
    }
    Validation validation{plan.choice.workload, plan.title, plan.figures, {}, std::move(refused), {}, {}};
    if (drawn) validation.seed = plan.choice.seed;
    for (const PlannedRun& run : plan.runs) {
        const std::vector<Sample> runs = sorted_runs(sampled.samples, run.what.name);
        if (runs.empty()) continue;  // refused
        if (drawn && others_had_cores(runs)) {
            validation.refused.push_back(run.what.name + ": in most of its runs other programs used the cores");
            continue;
        }
        ValidationCase found = run.expected;
        found.measured = measured_time(sampled.samples, run.what.name, drawn, quiet_probe);
        for (double* end : {&found.measured.value, &found.measured.low, &found.measured.high}) *end = run.figure(*end);
        if (found.measured.low > found.measured.high) std::swap(found.measured.low, found.measured.high);  // a rate
        const Sample& median = runs[runs.size() / 2];
        if (const std::vector<double> state = median.state(); !state.empty()) {
            found.core_distance = median.core_distance;
            found.in_state = run.predict(in_state(machine, state));
        }
        validation.cases.push_back(found);
    }
    if (validation.cases.empty()) {
        throw std::runtime_error(
            "in most runs of every case other programs used the cores, so that nothing can be judged: stop them");
    }
    validation.evidence = noise_of(machine, before, sampled.samples);
    const bool of_each_state = drawn && !plan.frozen && changes_here(machine);
    if (const auto line = other_distance(machine, sampled.samples, of_each_state)) validation.evidence.push_back(*line);
    return validation;
}

ValidationSummary summary_of(const std::vector<ValidationCase>& cases, PredictedFigure ValidationCase::*predicted) {
    std::vector<double> errors;
    std::vector<double> widths;
    ValidationSummary summary;
    for (const ValidationCase& each : cases) {
        const PredictedFigure& figure = each.*predicted;
        errors.push_back(std::abs(each.error_of(figure)));
        widths.push_back(figure.half_width());
        summary.coverage += figure.holds(each.measured.value) ? 1.0 / static_cast<double>(cases.size()) : 0;
    }
    summary.median_error = median_estimate(errors).value;
    summary.worst_error = *std::ranges::max_element(errors);
    summary.median_half_width = median_estimate(widths).value;
    return summary;
}

std::optional<std::string> failure_of(const Validation& validation) {
    constexpr double most_error = 0.2;
    constexpr double least_coverage = 0.8;
    const ValidationSummary summary = summary_of(validation.cases, &ValidationCase::predicted);
    if (summary.median_error <= most_error && summary.coverage >= least_coverage) return std::nullopt;
    return fmt::format("a median error of {:.0f} %, {:.0f} % of the intervals held", 100 * summary.median_error,
                       100 * summary.coverage);
}

}  // namespace narrows
