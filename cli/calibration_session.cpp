#include "cli/calibration_session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>

#include "calibrate/measure/core_clock.hpp"
#include "calibrate/measure/environment.hpp"
#include "calibrate/measure/noise.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/design_sampling.hpp"
#include "calibrate/study/gups_fit.hpp"
#include "calibrate/study/gups_residuals.hpp"
#include "calibrate/study/message_residuals.hpp"
#include "calibrate/study/processor_pace.hpp"
#include "calibrate/study/sweep_fit.hpp"
#include "calibrate/study/sweep_residuals.hpp"
#include "cli/interruption.hpp"
#include "cli/message_calibration.hpp"
#include "cli/messaging_machine.hpp"
#include "cli/progress.hpp"
#include "cli/samples_file.hpp"
#include "data/library.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Of a calibration's time, for runs of RandomAccess and Sweep3D.
constexpr double share_of_updates = 1 - share_of_messages - share_of_message_design;

std::vector<Design> designs(const CalibrationWords& words) {
    const double seconds = words.budget() * share_of_updates;
    std::vector<Design> all = {{gups_space(), 0.5 * seconds, 0.3}};
    if (words.sweep3d) all.push_back({sweep_space(), 0.2 * seconds, 0.22});
    return all;
}

std::vector<CaseSpace> case_spaces() {
    return {gups_space(), sweep_space()};
}

SamplingLimits limits_of(const CalibrationWords& words) {
    SamplingLimits limits;
    limits.seconds = words.budget() * share_of_updates;
    for (const Design& design : designs(words)) limits.seconds -= design.seconds;
    // A slow or busy machine gets more time than that rather than nothing at the end of it; a budget is kept.
    constexpr double slowest_machine = 1800;
    constexpr double most_of_quick = 38;
    limits.most_seconds = words.seconds > 0 ? limits.seconds : words.quick ? most_of_quick : slowest_machine;
    limits.least = 3;
    limits.most = words.quick ? 7 : 15;
    limits.patience = 4 * limits.most;
    limits.tight = words.quick ? 0.03 : 0.02;
    return limits;
}

std::string going_on(const CalibrationWords& words) {
    const std::string ending = unfinished_samples;
    std::string command = fmt::format("narrows calibrate --resume '{}'", words.samples_file);
    if (words.quick) command += " --quick";
    if (words.allow_noise) command += " --allow-noise";
    if (!words.samples_file.ends_with(ending)) return command;
    const std::string file = words.samples_file.substr(0, words.samples_file.size() - ending.size());
    return file.ends_with(".yaml") ? command + fmt::format(" -o '{}'", file) : command;
}

void add_noise(Calibration& calibration) {
    if (calibration.evidence.empty()) return;
    calibration.machine.environment.emplace_back("noise", fmt::format("{}", fmt::join(calibration.evidence, "; ")));
}

void describe(Machine& machine, const Calibration& calibration, const CalibrationWords& words) {
    describe_here(machine);
    machine.environment.emplace_back("calibration", fmt::format("{} runs in {:.0f} s{}", calibration.runs,
                                                                calibration.seconds, words.quick ? ", quick" : ""));
    machine.environment.emplace_back("intervals", *calibration.tight ? "tight" : "some are wider than asked");
    Parameter probe;
    probe.path = "compute.gups.route.probe";
    probe.measure = {calibration.quiet_probe, Dimension::time, "ms"};
    probe.source = "measured";
    const auto routing = [](const Parameter& one) { return one.path.starts_with("compute.gups.route."); };
    auto& all = machine.parameters;
    all.insert(std::find_if(all.begin(), all.end(), routing), probe);
    Parameter memory;
    memory.path = "node.memory.size";
    constexpr double mebi = 1024.0 * 1024;
    const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    memory.measure = {std::floor(pages / mebi) * mebi, Dimension::data, "MiB"};
    memory.source = "measured";
    machine.parameters.insert(machine.parameters.begin() + 1, memory);
}

// What quick calibrations take at most, runs under way not counted.
constexpr double most_quick_seconds = 57;

std::vector<Machine> history_of(const CalibrationWords& words) {
    std::vector<Machine> earlier;
    for (const std::string& file : words.history) {
        earlier.push_back(load_machine(file));
        if (!earlier.back().residuals.empty()) continue;
        throw InputError(
            fmt::format("--history {}: it has no 'residuals', which calibrations since this version have: "
                        "leave it out",
                        file));
    }
    return earlier;
}

// All that a quick or a full calibration may have run.
std::vector<GupsCase> all_cases(int workers) {
    constexpr std::size_t enough_memory = std::size_t{1} << 50;
    std::vector<GupsCase> cases = calibration_cases(Effort::full, workers, enough_memory);
    for (const GupsCase& what : calibration_cases(Effort::quick, workers, enough_memory)) {
        const bool known = std::any_of(cases.begin(), cases.end(),
                                       [&what](const GupsCase& other) { return other.name() == what.name(); });
        if (!known) cases.push_back(what);
    }
    return cases;
}

// Runs anywhere in the spaces of cases, for what the fitted models leave there. Returns what was run, in words.
std::string sample_designs(const Machine& machine, const CalibrationWords& words, const TimeLimit& deadline,
                           const SamplingHooks& hooks, Sampled& sampled) {
    CaseLimits limits;
    limits.workers = Cores().count();
    limits.memory = available_memory();
    constexpr std::size_t quick_memory = std::size_t{1} << 29;
    if (words.quick) limits.memory = std::min(limits.memory, quick_memory);
    DesignCount all;
    for (const Design& design : designs(words)) {
        const auto at_most = [&deadline](double seconds) { return deadline.at_most(seconds); };
        const DesignCount one = sample_design(design, machine, limits, at_most, hooks, sampled);
        all.planned += one.planned;
        all.done += one.done;
    }
    return fmt::format(
        "{} cases anywhere in the spaces of RandomAccess and Sweep3D{}, in up to {:.0f} MiB", all.done,
        all.done < all.planned ? fmt::format(" of {} planned, because the time was up", all.planned) : "",
        std::floor(static_cast<double>(limits.memory) / 2 / (1024.0 * 1024)));
}

// The cases of Sweep3D that a quick or a full calibration ran, whichever has more samples.
std::vector<SweepCase> sweep_cases_of(const std::vector<Sample>& samples, int workers) {
    const auto count = [&samples](const std::vector<SweepCase>& cases) {
        return std::count_if(cases.begin(), cases.end(),
                             [&](const SweepCase& what) { return !times_of(samples, what.name()).empty(); });
    };
    std::vector<SweepCase> full = sweep_cases(Effort::full, workers);
    std::vector<SweepCase> quick = sweep_cases(Effort::quick, workers);
    return count(quick) > count(full) ? quick : full;
}

std::vector<StudyCase> study_cases(const std::vector<GupsCase>& gups, const std::vector<SweepCase>& sweeps) {
    std::vector<StudyCase> cases;
    for (const GupsCase& what : gups) cases.push_back(study_case(what));
    for (const SweepCase& what : sweeps) cases.push_back(study_case(what));
    return cases;
}

// Samples of which one disturbed run makes a parameter wrong, with an interval that does not show it.
void require_runs(const std::string& file, const std::vector<StudyCase>& cases, const std::vector<Sample>& samples) {
    constexpr std::ptrdiff_t enough = 3;
    std::size_t known = 0;
    std::size_t rare = 0;
    for (const StudyCase& what : cases) {
        const auto runs = std::count_if(samples.begin(), samples.end(),
                                        [&what](const Sample& taken) { return taken.name == what.name; });
        known += runs > 0 ? 1 : 0;
        rare += runs > 0 && runs < enough ? 1 : 0;
    }
    if (rare == 0) return;
    throw InputError(
        fmt::format("--from {0}: {1} of its {2} cases were run fewer than {3} times, so that a disturbed run "
                    "would not show: go on with 'narrows calibrate --resume {0}' on the machine that was "
                    "measured, or take intervals four times as wide with --allow-noise",
                    file, rare, known, enough));
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

void add_parameters(Machine& machine, const std::vector<Parameter>& more) {
    machine.parameters.insert(machine.parameters.end(), more.begin(), more.end());
}

/// The cases that the models are fitted on.
struct FittedCases {
    std::vector<GupsCase> gups;
    std::vector<SweepCase> sweeps;
};

FittedCases fitted_cases(const CalibrationWords& words) {
    const Effort effort = words.quick ? Effort::quick : Effort::full;
    const int workers = Cores().count();
    return {calibration_cases(effort, workers, available_memory()),
            words.sweep3d ? sweep_cases(effort, workers) : std::vector<SweepCase>()};
}

/// What a calibration has measured.
struct Measured {
    Sampled updates;                    ///< of RandomAccess and Sweep3D
    std::vector<std::string> evidence;  ///< of noise in those that models are fitted on
    std::string design;                 ///< how the spaces of their cases were filled, in words
    MessageSampled messages;
    std::vector<Sample> phases;

    bool interrupted() const { return updates.interrupted || messages.interrupted || InterruptGuard::asked().load(); }
    bool complete() const { return updates.complete && messages.complete; }
    FitOptions fit() const {
        FitOptions options;
        // What the probes saw, runs may have escaped.
        options.widening = evidence.empty() ? 1 : 2;
        return options;
    }
};

void measure_messages(const CalibrationWords& words, const Machine& machine, const TimeLimit& limit, SamplesFile& kept,
                      AllSamples earlier, Measured& measured) {
    measured.messages = sample_messages_here(words, limit, kept, std::move(earlier.messages));
    if (measured.interrupted() || !measured.complete()) return;
    Machine known = machine;
    add_all_messaging(known, measured.messages.samples, measured.fit().widening);
    measured.phases = sample_phases_here(known, words, limit, kept, std::move(earlier.phases));
}

Measured measure(const CalibrationWords& words, const FittedCases& cases, const TimeLimit& limit, SamplesFile& kept,
                 AllSamples earlier, std::ostream& progress_lines) {
    Progress progress(progress_lines, "calibrate");
    SamplingHooks hooks;
    hooks.stop = &InterruptGuard::asked();
    hooks.progress = [&](double fraction) { progress.at(fraction); };
    hooks.sink = [&](const Sample& sample) { kept.keep(sample); };
    const std::vector<StudyCase> fitted = study_cases(cases.gups, cases.sweeps);
    Measured measured;
    measured.updates = sample(fitted, limits_of(words), hooks, std::move(earlier.updates));
    measured.evidence = evidence_of_noise(samples_of(fitted, measured.updates.samples));
    if (measured.interrupted() || !measured.complete()) return measured;
    Machine machine = fit_gups(cases.gups, measured.updates.samples, measured.fit());
    add_parameters(machine, fit_sweep3d(cases.sweeps, measured.updates.samples, measured.fit()));
    constexpr double least_of_messages = 13;
    const TimeLimit before_messages(limit.left() > 0 ? std::max(0.1, limit.left() - least_of_messages) : 0);
    measured.design = sample_designs(machine, words, before_messages, hooks, measured.updates);
    if (words.messages && !measured.interrupted()) {
        measure_messages(words, machine, limit, kept, std::move(earlier), measured);
    }
    return measured;
}

void make_machine(Calibration& calibration, const CalibrationWords& words, const FittedCases& cases,
                  const Measured& measured, const std::vector<Machine>& history) {
    Machine& machine = calibration.machine;
    const std::vector<Sample>& samples = measured.updates.samples;
    machine = fit_gups(cases.gups, samples, measured.fit());
    describe(machine, calibration, words);
    machine.environment.emplace_back("design", measured.design);
    add_noise(calibration);
    add_parameters(machine, fit_sweep3d(cases.sweeps, samples, measured.fit()));
    machine.residuals = fit_residuals(case_spaces(), machine, samples);
    if (const auto clock = core_clock()) add_clock(machine, *clock);
    add_parameters(machine, processor_pace(Cores().count()));
    add_all_messaging(machine, measured.messages.samples, measured.fit().widening);
    add_phases(machine, measured.phases);
    std::vector<CaseSpace> spaces = case_spaces();
    spaces.push_back(message_space());
    std::vector<Sample> all = samples;
    all.insert(all.end(), measured.phases.begin(), measured.phases.end());
    compare_sessions(spaces, machine, history, all);
}

}  // namespace

double CalibrationWords::budget() const {
    if (seconds > 0) return seconds;
    return quick ? 36 : 270;
}

void require_no_samples(const CalibrationWords& words) {
    if (words.samples_file.empty() || words.resume == words.samples_file) return;
    std::error_code absent;
    const auto bytes = std::filesystem::file_size(words.samples_file, absent);
    if (absent || bytes == 0) return;  // empty where a calibration ended before its first sample
    throw InputError(fmt::format("'{0}' has the samples of an unfinished calibration: {1} '{0}', or remove it",
                                 words.samples_file,
                                 words.transport == "mpi" ? "fit them with --from" : "go on with --resume"));
}

void describe_here(Machine& machine) {
    char host[256] = "";
    machine.id = gethostname(host, sizeof host - 1) == 0 ? host : "this machine";
    machine.name = machine.id;
    machine.source = "calibrated";
    machine.environment = describe_environment();
}

Calibration calibrate_from(const std::string& file, bool allow_noise) {
    const AllSamples samples = read_samples(file);
    if (samples.updates.empty() && samples.messages.empty()) {
        throw InputError(fmt::format("--from {}: there are no samples in it", file));
    }
    int workers = 1;
    for (const Sample& sample : samples.updates) workers = std::max(workers, sample.workers);
    Calibration calibration;
    calibration.runs = samples.updates.size() + samples.messages.size();
    calibration.examined = !samples.updates.empty();
    const std::vector<GupsCase> gups = all_cases(workers);
    const std::vector<SweepCase> sweeps = sweep_cases_of(samples.updates, workers);
    const std::vector<StudyCase> fitted = study_cases(gups, sweeps);
    calibration.evidence = evidence_of_noise(samples_of(fitted, samples.updates));
    FitOptions fit;
    constexpr double of_few_runs = 4;
    fit.widening = allow_noise ? of_few_runs : calibration.evidence.empty() ? 1 : 2;
    if (calibration.examined) {
        if (!allow_noise) require_runs(file, fitted, samples.updates);
        calibration.machine = fit_gups(gups, samples.updates, fit);
        add_parameters(calibration.machine, fit_sweep3d(sweeps, samples.updates, fit));
        calibration.machine.residuals = fit_residuals(case_spaces(), calibration.machine, samples.updates);
    }
    add_all_messaging(calibration.machine, samples.messages, fit.widening);
    if (!samples.messages.empty()) add_phases(calibration.machine, samples.phases);
    if (calibration.machine.parameters.size() <= 1) {  // the number of processors says nothing
        throw InputError(fmt::format("--from {}: its samples are of no case that calibrate knows", file));
    }
    calibration.machine.id = std::filesystem::path(file).stem().stem().string();
    calibration.machine.name = calibration.machine.id;
    calibration.machine.source = "calibrated";
    auto& environment = calibration.machine.environment;
    if (samples.cut_line != 0)
        calibration.remark = fmt::format("its line {} is cut off and left out", samples.cut_line);
    environment.emplace(environment.begin(), "samples",
                        fmt::format("{} read from {}{}{}", calibration.runs, file, samples.cut_line == 0 ? "" : "; ",
                                    calibration.remark));
    add_noise(calibration);
    return calibration;
}

Calibration calibrate_here(const CalibrationWords& words, std::ostream& progress_lines) {
    Calibration calibration;
    calibration.samples_file = words.samples_file;
    calibration.go_on = going_on(words);
    require_no_samples(words);
    const std::vector<Machine> history = history_of(words);
    AllSamples earlier = words.resume.empty() ? AllSamples() : read_samples(words.resume);
    const TimeLimit limit(words.quick && words.seconds == 0 ? most_quick_seconds : 0);
    calibration.evidence = evidence_of_noise(settled_probe(Cores().count()));
    if (!calibration.evidence.empty() && !words.allow_noise) {
        calibration.end = Calibration::End::noisy;
        return calibration;
    }
    const FittedCases cases = fitted_cases(words);
    SamplesFile kept(words.samples_file, earlier);
    const InterruptGuard guard;
    const KeptMemory memory(available_memory() / 2);
    const Measured measured = measure(words, cases, limit, kept, std::move(earlier), progress_lines);
    calibration.tight = measured.updates.tight;
    calibration.seconds = limit.elapsed();
    calibration.runs = measured.updates.samples.size();
    if (measured.interrupted()) {
        calibration.end = Calibration::End::interrupted;
    } else if (!measured.complete()) {
        calibration.end = Calibration::End::incomplete;
    } else {
        calibration.quiet_probe = quiet_probe_seconds(measured.updates.samples);
        calibration.evidence.insert(calibration.evidence.end(), measured.evidence.begin(), measured.evidence.end());
        const bool noisy = !calibration.evidence.empty() && !words.allow_noise;
        if (noisy) calibration.end = Calibration::End::noisy;
        if (!noisy) make_machine(calibration, words, cases, measured, history);
    }
    return calibration;
}

int explain_end(const Calibration& calibration, std::ostream& err) {
    constexpr int not_done = 1;
    constexpr int noisy = 3;
    const bool kept = !calibration.samples_file.empty() && calibration.runs > 0;
    const std::string samples = kept ? fmt::format("{} samples are kept in '{}': go on with {}\n", calibration.runs,
                                                   calibration.samples_file, calibration.go_on)
                                     : "No samples were kept: name a file with -o.\n";
    if (calibration.end == Calibration::End::interrupted) {
        err << "narrows: interrupted. " << samples;
        return not_done;
    }
    if (calibration.end == Calibration::End::incomplete) {
        err << fmt::format(
                   "narrows: the time was too short for every case to be run often enough ({} runs in {:.0f} s). ",
                   calibration.runs, calibration.seconds)
            << samples;
        return not_done;
    }
    err << "narrows: this machine is too noisy to be measured:\n";
    for (const std::string& line : calibration.evidence) err << "  " << line << "\n";
    err << "Stop what else runs here, or take wider intervals with --allow-noise.\n";
    if (kept) err << samples;
    return noisy;
}

}  // namespace narrows
