#include "calibrate/study/calibration.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "calibrate/measure/core_clock.hpp"
#include "calibrate/measure/environment.hpp"
#include "calibrate/measure/noise.hpp"
#include "calibrate/measure/page_time.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/break_search.hpp"
#include "calibrate/study/design_sampling.hpp"
#include "calibrate/study/made_parameter.hpp"
#include "calibrate/study/message_fit.hpp"
#include "calibrate/study/message_residuals.hpp"
#include "calibrate/study/message_space.hpp"
#include "calibrate/study/messaging_machine.hpp"

namespace narrows {
namespace {

constexpr double share_of_messages = 1.0 / 6;
// Beside it those that fill the space of cases, for what the fitted messages leave there.
constexpr double share_of_message_design = 1.0 / 8;
constexpr double share_of_updates = 1 - share_of_messages - share_of_message_design;

// What a calibration is to take, with set-up and probes; 0: as long as the runs that its budget is for.
double whole_seconds(const CalibrationChoice& choice) {
    if (choice.seconds > 0) return 0;
    return choice.quick ? 57 : 295;
}

std::vector<CaseSpace> case_spaces(const CalibrationChoice& choice) {
    std::vector<CaseSpace> all;
    for (const CalibratedKernel& kernel : choice.kernels) all.push_back(kernel.space);
    return all;
}

double shares_of_designs(const CalibrationChoice& choice) {
    double shares = 0;
    for (const CalibratedKernel& kernel : choice.kernels) shares += kernel.share;
    return shares;
}

void add_noise(Calibration& calibration) {
    if (calibration.evidence.empty()) return;
    calibration.machine.environment.emplace_back("noise", fmt::format("{}", fmt::join(calibration.evidence, "; ")));
}

// Names the machine after this one, whose environment it has.
void describe_here(Machine& machine) {
    char host[256] = "";
    machine.id = gethostname(host, sizeof host - 1) == 0 ? host : "this machine";
    machine.name = machine.id;
    machine.source = "calibrated";
    machine.environment = describe_environment();
}

void describe(Machine& machine, const Calibration& calibration, bool quick) {
    describe_here(machine);
    machine.environment.emplace_back("calibration", calibration.runs_text() + (quick ? ", quick" : ""));
    machine.environment.emplace_back("intervals", *calibration.tight ? "tight" : "some are wider than asked");
    const auto routing = [](const Parameter& one) { return one.path.starts_with("compute.gups.route."); };
    auto& all = machine.parameters;
    all.insert(
        std::ranges::find_if(all, routing),
        made_parameter("compute.gups.route.probe", {calibration.quiet_probe, Dimension::time, "ms"}, "measured"));
    constexpr double mebi = 1024.0 * 1024;
    const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    all.insert(
        all.begin() + std::min<std::ptrdiff_t>(1, std::distance(all.begin(), all.end())),
        made_parameter("node.memory.size", {std::floor(pages / mebi) * mebi, Dimension::data, "MiB"}, "measured"));
}

// Seconds for the phases of messages between other runs.
double seconds_of_phases(const CalibrationChoice& choice) {
    return choice.messages ? choice.budget() * share_of_message_design : 0;
}

// For a second of the runs that they are between.
double seconds_of_phases_each(const CalibrationChoice& choice) {
    return choice.kernels.empty() ? 0 : seconds_of_phases(choice) / (choice.budget() * share_of_updates);
}

// How many times as long the runs take that they are between: half of them is kept for another distance of cores, which
// may never come.
double with_phases_between(const CalibrationChoice& choice) {
    return 1 + seconds_of_phases_each(choice) / 2;
}

SamplingLimits limits_of(const CalibrationChoice& choice) {
    SamplingLimits limits;
    limits.seconds = with_phases_between(choice) * choice.budget() * share_of_updates * (1 - shares_of_designs(choice));
    // A slow or busy machine gets more time than that rather than nothing at the end of it; a budget is kept.
    constexpr double slowest_machine = 1800;
    constexpr double most_of_quick = 46;
    limits.most_seconds = choice.seconds > 0 ? limits.seconds : choice.quick ? most_of_quick : slowest_machine;
    limits.least = 3;
    limits.long_seconds = seconds_of_long_case;
    limits.most = choice.quick ? 7 : 15;
    limits.patience = 4 * limits.most;
    limits.tight = choice.quick ? 0.03 : 0.02;
    return limits;
}

// With phases of messages after every sample.
SamplingHooks with_phases(const SamplingHooks& to, PhaseSampling& phases, double seconds_each) {
    SamplingHooks hooks = to;
    hooks.sink = [sink = to.sink, &phases, seconds_each, since = TimeLimit(0)](const Sample& taken) mutable {
        if (sink) sink(taken);
        phases.go_on(seconds_each * since.elapsed());
        since = TimeLimit(0);
    };
    return hooks;
}

// Runs anywhere in the spaces of cases, for what the fitted models leave there, in `limit`. Returns what was run, in
// words.
std::string sample_designs(const Machine& machine, const CalibrationChoice& choice, const TimeLimit& limit,
                           const SamplingHooks& hooks, Sampled& sampled) {
    CaseLimits limits{.workers = Cores().count(), .memory = available_memory()};
    constexpr std::size_t quick_memory = std::size_t{1} << 29;
    if (choice.quick) limits.memory = std::min(limits.memory, quick_memory);
    constexpr double usual_first_write = 0.5e-9;  // seconds a byte
    limits.small_page_cost = std::clamp(first_write_seconds() / usual_first_write, 1.0, 16.0);
    std::vector<std::string> titles;
    std::vector<Design> designs;
    const double with_phases = with_phases_between(choice);
    for (const CalibratedKernel& kernel : choice.kernels) {
        titles.push_back(kernel.title);
        designs.push_back({kernel.space, with_phases * kernel.share * choice.budget() * share_of_updates,
                           with_phases * kernel.seconds_of_case});
    }
    const DesignCount all = sample_designs(designs, machine, limits, limit, hooks, sampled);
    const double most = std::floor(mebibytes(static_cast<double>(limits.memory) / 2));
    return fmt::format(
        "{} cases anywhere in the spaces of {}{}{}, in up to {:.0f} MiB{}", all.done, fmt::join(titles, ", "),
        choice.earlier.updates.empty() ? "" : " beside those of earlier sessions",
        all.done < all.planned ? fmt::format(" of {} planned, as the time was over", all.planned) : "", most,
        limits.small_page_cost > 1
            ? fmt::format(", {:.0f} MiB on 4 KiB pages, which come slowly", most / limits.small_page_cost)
            : "");
}

// All of the kernels.
std::vector<StudyCase> cases_of(const std::vector<FittedCases>& kernels) {
    std::vector<StudyCase> all;
    for (const FittedCases& one : kernels) all.insert(all.end(), one.cases.begin(), one.cases.end());
    return all;
}

Machine fitted(const std::vector<FittedCases>& kernels, const std::vector<Sample>& samples, const FitOptions& options) {
    Machine machine;
    Parameter processors = made_parameter("node.processors", {1, Dimension::number, ""}, "measured");
    for (const Sample& taken : samples) {
        processors.measure.value = std::max<double>(processors.measure.value, taken.workers);
    }
    machine.parameters.push_back(processors);
    if (const double change = state_change(samples); change > 0) {
        machine.parameters.push_back(
            made_parameter(std::string(state_change_path), {in_digits(change, 2), Dimension::number, ""}, "measured"));
    }
    for (const FittedCases& one : kernels) {
        for (const Parameter& found : one.fit(samples, options)) {
            if (find(machine, found.path) == nullptr) machine.parameters.push_back(found);
        }
    }
    return machine;
}

// Cases that samples are so few of that one disturbed run makes a parameter wrong, with an interval that does not show
// it; and how many have samples.
std::pair<std::size_t, std::size_t> rare_cases(const std::vector<StudyCase>& cases, const std::vector<Sample>& samples,
                                               const SamplingLimits& limits) {
    std::size_t known = 0;
    std::size_t rare = 0;
    for (const StudyCase& what : cases) {
        const bool has_samples =
            std::ranges::any_of(samples, [&what](const Sample& taken) { return taken.name == what.name; });
        known += has_samples ? 1 : 0;
        rare += has_samples && !has_needed(samples, what.name, limits) ? 1 : 0;
    }
    return {rare, known};
}

// Those of the cases that models are fitted on: cases of a design run as often as they surprise.
std::vector<Sample> samples_of(const std::vector<StudyCase>& cases, const std::vector<Sample>& samples) {
    std::set<std::string> names;
    for (const StudyCase& what : cases) names.insert(what.name);
    std::vector<Sample> found;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(found),
                 [&names](const Sample& taken) { return names.contains(taken.name); });
    return found;
}

/// What a calibration has measured.
struct Measured {
    Sampled updates;                    ///< of RandomAccess and Sweep3D
    std::vector<std::string> evidence;  ///< of noise in those that models are fitted on
    std::string design;                 ///< how the spaces of their cases were filled, in words
    MessageSampled messages;
    std::vector<Sample> phases;

    bool interrupted(const CalibrationHooks& hooks) const {
        return updates.interrupted || messages.interrupted || hooks.stopped();
    }
    bool complete() const { return updates.complete && messages.complete; }
    FitOptions fit() const {
        FitOptions options;
        // What the probes saw, runs may have escaped.
        options.widening = evidence.empty() ? 1 : 2;
        return options;
    }
};

// Samples of messages between ranks of this process, on from the `earlier` ones.
MessageSampled sample_messages_inside(const CalibrationChoice& choice, const TimeLimit& deadline,
                                      const CalibrationHooks& to, std::vector<MessageSample> earlier) {
    MessageSamplingHooks hooks;
    hooks.further_sizes = sizes_at_breaks;
    hooks.stop = to.stop;
    hooks.sink = to.message_sink;
    MessageSamplingLimits limits = choice.message_limits();
    limits.most_seconds = deadline.left();
    std::vector<MessageOptions> cases = message_cases(Transport::shared, 2, limits.seconds);
    for (const auto& more : {distant_cases(Cores().pairs(), limits.seconds), gateway_cases(limits.seconds)}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return sample_messages(cases, limits, hooks, std::move(earlier));
}

// Phases of messages anywhere in the space of cases. `machine` says how long they take.
PhaseSampling phases_inside(const Machine& machine, const CalibrationChoice& choice, const CalibrationHooks& to) {
    CaseLimits limits;
    limits.workers = Cores().count();
    constexpr std::size_t quick_memory = std::size_t{16} << 20;  // long messages take long
    limits.memory = choice.quick ? quick_memory : available_memory();
    return {machine, limits, seconds_of_phases(choice), choice.earlier.phases, to.sink, [&to] { return to.stopped(); }};
}

// What the samples of phases leave of the predictions of a machine that has its messages, and what an allreduce
// combines a byte in. `updates`: of the same session, most of its time.
void add_phases(Machine& machine, const std::vector<Sample>& phases, const std::vector<Sample>& updates) {
    if (const auto combining = combining_of(machine, phases)) add_combining(machine, *combining);
    for (ResidualSurface& surface : fit_residuals({message_space()}, machine, phases, updates)) {
        machine.residuals.push_back(std::move(surface));
    }
}

// All that the samples say. Intervals are `widening` times as wide as they would be on a quiet machine.
void add_all_messaging(Machine& machine, const std::vector<MessageSample>& samples, double widening) {
    if (samples.empty()) return;
    const RoundStatistics rounds = message_rounds(samples);
    widening *= rounds.widening();
    machine.environment.emplace_back(
        "message rounds", fmt::format("a sample is worth {:.2f} independent ones, intervals are {:.2f} times "
                                      "as wide; drift {:+.1f} % from first to last",
                                      rounds.effective_share, widening, 100 * rounds.drift));
    machine.environment.emplace_back("message buffers",
                                     "warm: every message of a sample has the same; order of sizes and cases random");
    const auto shared = [](const MessageSample& one) { return one.what.way.transport == Transport::shared; };
    if (std::ranges::any_of(samples, shared)) add_turns(machine);
    add_messaging(machine, fit_messages(samples, widening));
    if (const auto service = gateway_service(samples, widening)) add_gateway(machine, *service);
}

// What messages between ranks take here, by their samples alone.
Machine machine_of_messages(const MessageSampled& messages) {
    Machine machine;
    machine.parameters.push_back(
        made_parameter("node.processors", {static_cast<double>(Cores().count()), Dimension::number, ""}, "measured"));
    add_all_messaging(machine, messages.samples, 1);
    return machine;
}

// Messages come first: phases of them are run between all else, as how far cores are from each other changes every
// minute or two.
Measured measure(const CalibrationChoice& choice, const std::vector<FittedCases>& kernels, const TimeLimit& limit,
                 const CalibrationHooks& to) {
    const std::vector<StudyCase> cases = cases_of(kernels);
    Measured measured;
    measured.updates.samples = choice.earlier.updates;
    measured.phases = choice.earlier.phases;
    // A full calibration has all of its messages, however slow the machine is.
    const TimeLimit of_messages = choice.quick ? limit : TimeLimit(0);
    if (choice.messages) measured.messages = sample_messages_inside(choice, of_messages, to, choice.earlier.messages);
    if (measured.messages.interrupted || !measured.messages.complete) return measured;
    PhaseSampling phases = phases_inside(machine_of_messages(measured.messages), choice, to);
    const SamplingHooks hooks = with_phases(to, phases, seconds_of_phases_each(choice));
    SamplingLimits limits = limits_of(choice);
    if (choice.quick) {
        limits.most_seconds = limit.at_most(limits.most_seconds);
        limits.seconds = std::min(limits.seconds, limits.most_seconds);
    }
    measured.updates = sample(cases, limits, hooks, choice.earlier.updates);
    measured.phases = phases.samples();
    measured.evidence = evidence_of_noise(samples_of(cases, measured.updates.samples));
    if (measured.interrupted(to) || !measured.complete()) return measured;
    const Machine machine = fitted(kernels, measured.updates.samples, measured.fit());
    const double at_end = std::min(phases.left(), seconds_of_phases(choice) / 2);
    measured.design = sample_designs(machine, choice, limit.before(at_end), hooks, measured.updates);
    // Where the time was over before: of too few points there is no surface.
    phases.finish(of_messages);
    measured.phases = phases.samples();
    return measured;
}

void make_machine(Calibration& calibration, const CalibrationChoice& choice, const std::vector<FittedCases>& kernels,
                  const Measured& measured) {
    Machine& machine = calibration.machine;
    const std::vector<Sample>& samples = measured.updates.samples;
    machine = fitted(kernels, samples, measured.fit());
    describe(machine, calibration, choice.quick);
    machine.environment.emplace_back("design", measured.design);
    for (const FittedCases& one : kernels) {
        if (!one.left_out.empty()) machine.environment.emplace_back("left out", one.left_out);
    }
    add_noise(calibration);
    machine.residuals = fit_residuals(case_spaces(choice), machine, samples);
    if (const auto clock = core_clock()) add_clock(machine, *clock);
    add_all_messaging(machine, measured.messages.samples, measured.fit().widening);
    add_phases(machine, measured.phases, samples);
    std::vector<CaseSpace> spaces = case_spaces(choice);
    spaces.push_back(message_space());
    std::vector<Sample> all = samples;
    all.insert(all.end(), measured.phases.begin(), measured.phases.end());
    compare_sessions(spaces, machine, choice.history, all);
}

// The hooks, told of progress by the time of the whole calibration.
CalibrationHooks told_of_all(const CalibrationChoice& choice, const TimeLimit& limit, const CalibrationHooks& to) {
    constexpr double with_setup = 1.15;  // and with probes
    const double whole = choice.seconds > 0 ? with_setup * choice.seconds : whole_seconds(choice);
    const auto tell = [&limit, &to, whole] {
        if (to.progress) to.progress(std::min(1.0, limit.elapsed() / whole));
    };
    CalibrationHooks told = to;
    told.sink = [&to, tell](const Sample& taken) {
        if (to.sink) to.sink(taken);
        tell();
    };
    told.message_sink = [&to, tell](const MessageSample& taken) {
        if (to.message_sink) to.message_sink(taken);
        tell();
    };
    return told;
}

}  // namespace

double CalibrationChoice::budget() const {
    if (seconds > 0) return seconds;
    return quick ? 36 : 270;
}

std::string Calibration::runs_text() const {
    return fmt::format("{} runs{} in {:.0f} s", runs, earlier > 0 ? fmt::format(", {} of them earlier,", earlier) : "",
                       seconds);
}

MessageSamplingLimits CalibrationChoice::message_limits() const {
    MessageSamplingLimits limits;
    limits.seconds = budget() * share_of_messages;
    limits.most = 15;
    return limits;
}

Calibration calibrate_from(const CalibrationChoice& choice, const CalibrationSamples& samples,
                           const std::function<void(std::size_t rare, std::size_t known)>& rare) {
    int workers = 1;
    for (const Sample& sample : samples.updates) workers = std::max(workers, sample.workers);
    Calibration calibration;
    calibration.runs = samples.count();
    calibration.examined = !samples.updates.empty();
    std::vector<FittedCases> kernels;
    for (const CalibratedKernel& kernel : choice.kernels) kernels.push_back(kernel.known(samples.updates, workers));
    const std::vector<StudyCase> cases = cases_of(kernels);
    calibration.evidence = evidence_of_noise(samples_of(cases, samples.updates));
    FitOptions fit;
    constexpr double of_few_runs = 4;
    fit.widening = choice.allow_noise ? of_few_runs : calibration.evidence.empty() ? 1 : 2;
    if (calibration.examined) {
        const auto [seldom, known] = rare_cases(cases, samples.updates, limits_of(choice));
        if (!choice.allow_noise && seldom > 0) rare(seldom, known);
        calibration.machine = fitted(kernels, samples.updates, fit);
        calibration.machine.residuals = fit_residuals(case_spaces(choice), calibration.machine, samples.updates);
    }
    add_all_messaging(calibration.machine, samples.messages, fit.widening);
    if (!samples.messages.empty()) add_phases(calibration.machine, samples.phases, samples.updates);
    add_noise(calibration);
    return calibration;
}

Calibration calibrate_here(const CalibrationChoice& choice, const CalibrationHooks& to) {
    Calibration calibration;
    const TimeLimit limit(whole_seconds(choice));
    const CalibrationHooks hooks = told_of_all(choice, limit, to);
    calibration.evidence = evidence_of_noise(settled_probe(Cores().count()));
    if (!calibration.evidence.empty() && !choice.allow_noise) {
        calibration.end = Calibration::End::noisy;
        return calibration;
    }
    std::vector<FittedCases> kernels;
    for (const CalibratedKernel& kernel : choice.kernels) {
        kernels.push_back(
            kernel.planned(choice.quick ? Effort::quick : Effort::full, Cores().count(), available_memory()));
    }
    const KeptMemory memory(available_memory() / 2);
    const Measured measured = measure(choice, kernels, limit, hooks);
    calibration.tight = measured.updates.tight;
    calibration.seconds = limit.elapsed();
    calibration.earlier = choice.earlier.count();
    calibration.runs = measured.updates.samples.size() + measured.messages.samples.size() + measured.phases.size();
    if (measured.interrupted(hooks)) {
        calibration.end = Calibration::End::interrupted;
    } else if (!measured.complete()) {
        calibration.end = Calibration::End::incomplete;
    } else {
        calibration.quiet_probe = quiet_probe_seconds(measured.updates.samples);
        calibration.evidence.insert(calibration.evidence.end(), measured.evidence.begin(), measured.evidence.end());
        const bool noisy = !calibration.evidence.empty() && !choice.allow_noise;
        if (noisy) calibration.end = Calibration::End::noisy;
        if (!noisy) make_machine(calibration, choice, kernels, measured);
    }
    return calibration;
}

MessageSampled sample_messages_of(const CalibrationChoice& choice, const Launch& launch, int ranks,
                                  const CalibrationHooks& to) {
    MessageSamplingHooks hooks;
    hooks.launch = launch;
    hooks.further_sizes = sizes_at_breaks;
    hooks.stop = to.stop;
    hooks.sink = to.message_sink;
    const MessageSamplingLimits limits = choice.message_limits();
    return sample_messages(message_cases(Transport::mpi, ranks, limits.seconds), limits, hooks);
}

Calibration calibration_of(const MessageSampled& sampled, int ranks, double seconds) {
    Calibration calibration;
    calibration.seconds = seconds;
    calibration.runs = sampled.samples.size();
    calibration.examined = false;
    if (sampled.interrupted) {
        calibration.end = Calibration::End::interrupted;
        return calibration;
    }
    describe_here(calibration.machine);
    calibration.machine.environment.emplace_back(
        "calibration",
        fmt::format("{} samples of messages between {} ranks under MPI in {:.0f} s", calibration.runs, ranks, seconds));
    add_all_messaging(calibration.machine, sampled.samples, 1);
    return calibration;
}

}  // namespace narrows
