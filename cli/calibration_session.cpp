#include "cli/calibration_session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "calibrate/measure/core_clock.hpp"
#include "calibrate/measure/environment.hpp"
#include "calibrate/measure/noise.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/gups_fit.hpp"
#include "calibrate/study/gups_residuals.hpp"
#include "calibrate/study/sweep_fit.hpp"
#include "cli/interruption.hpp"
#include "cli/message_calibration.hpp"
#include "cli/messaging_machine.hpp"
#include "cli/progress.hpp"
#include "cli/samples_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Of a calibration's time, for runs of RandomAccess and Sweep3D.
constexpr double share_of_updates = 1 - share_of_messages - share_of_message_design;

// Of the time for runs, for those that fill the space of cases, after those that the models are fitted on.
constexpr double share_of_design = 0.5;

// What a case takes that was predicted to take a sixth of a second, with its table filled and the probe.
constexpr double seconds_of_design_run = 0.8;

SamplingLimits limits_of(const CalibrationWords& words) {
    SamplingLimits limits;
    limits.seconds = words.budget() * share_of_updates * (1 - share_of_design);
    // A slow or busy machine gets more time than that rather than nothing at the end of it; a budget is kept.
    constexpr double slowest_machine = 1800;
    limits.most_seconds = words.seconds > 0 ? limits.seconds : std::max(slowest_machine, 6 * limits.seconds);
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

std::vector<std::string> noise_of(const CoreProbe& before, const CoreProbe& after, const std::vector<Sample>& samples) {
    std::vector<std::string> evidence = evidence_of_noise(before);
    for (const std::string& line : evidence_of_noise(after)) evidence.push_back("afterwards: " + line);
    for (const std::string& line : evidence_of_noise(samples)) evidence.push_back(line);
    return evidence;
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

// Runs anywhere in the space of cases, for what the fitted models leave there; as many as the time allows.
void sample_design(const Machine& machine, const CalibrationWords& words, const SamplingHooks& hooks,
                   Sampled& sampled) {
    CaseLimits limits;
    limits.workers = Cores().count();
    limits.memory = available_memory();
    constexpr std::size_t quick_memory = std::size_t{1} << 29;
    if (words.quick) limits.memory = std::min(limits.memory, quick_memory);
    SamplingLimits once;
    once.seconds = words.budget() * share_of_updates * share_of_design;
    once.least = once.most = 1;
    const int count = static_cast<int>(once.seconds / seconds_of_design_run);
    const std::vector<GupsCase> cases = design_cases(machine, limits, count);
    Sampled more = sample(cases, once, hooks, std::move(sampled.samples));
    sampled.samples = std::move(more.samples);
    sampled.interrupted = more.interrupted;
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

void add_parameters(Machine& machine, const std::vector<Parameter>& more) {
    machine.parameters.insert(machine.parameters.end(), more.begin(), more.end());
}

}  // namespace

double CalibrationWords::budget() const {
    if (seconds > 0) return seconds;
    return quick ? 36 : 280;
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

Calibration calibrate_from(const std::string& file) {
    const AllSamples samples = read_samples(file);
    if (samples.updates.empty() && samples.messages.empty()) {
        throw InputError(fmt::format("--from {}: there are no samples in it", file));
    }
    int workers = 1;
    for (const Sample& sample : samples.updates) workers = std::max(workers, sample.workers);
    Calibration calibration;
    calibration.runs = samples.updates.size() + samples.messages.size();
    calibration.examined = !samples.updates.empty();
    calibration.evidence = evidence_of_noise(samples.updates);
    FitOptions fit;
    fit.widening = calibration.evidence.empty() ? 1 : 2;
    if (calibration.examined) {
        calibration.machine = fit_gups(all_cases(workers), samples.updates, fit);
        const std::vector<SweepCase> sweeps = sweep_cases_of(samples.updates, workers);
        add_parameters(calibration.machine, fit_sweep3d(sweeps, samples.updates, fit));
        calibration.machine.residuals = fit_gups_residuals(calibration.machine, samples.updates);
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
    AllSamples earlier = words.resume.empty() ? AllSamples() : read_samples(words.resume);
    const int workers = Cores().count();
    const CoreProbe before = settled_probe(workers);
    calibration.evidence = evidence_of_noise(before);
    if (!calibration.evidence.empty() && !words.allow_noise) {
        calibration.end = Calibration::End::noisy;
        return calibration;
    }
    const Effort effort = words.quick ? Effort::quick : Effort::full;
    const std::vector<GupsCase> gups = calibration_cases(effort, workers, available_memory());
    const std::vector<SweepCase> sweeps = words.sweep3d ? sweep_cases(effort, workers) : std::vector<SweepCase>();
    std::vector<StudyCase> cases;
    for (const GupsCase& what : gups) cases.push_back(study_case(what));
    for (const SweepCase& what : sweeps) cases.push_back(study_case(what));
    SamplesFile kept(words.samples_file, earlier);
    Progress progress(progress_lines, "calibrate");
    SamplingHooks hooks;
    hooks.stop = &InterruptGuard::asked();
    hooks.progress = [&](double fraction) { progress.at(fraction); };
    hooks.sink = [&](const Sample& sample) { kept.keep(sample); };
    const auto begin = std::chrono::steady_clock::now();
    const InterruptGuard guard;
    Sampled sampled = sample(cases, limits_of(words), hooks, std::move(earlier.updates));
    calibration.tight = sampled.tight;
    FitOptions fit;
    fit.widening = evidence_of_noise(sampled.samples).empty() ? 1 : 2;  // what the probes saw, runs may have escaped
    if (sampled.complete && !sampled.interrupted) {
        calibration.machine = fit_gups(gups, sampled.samples, fit);
        sample_design(calibration.machine, words, hooks, sampled);
    }
    MessageSampled messages;
    if (words.messages && sampled.complete && !sampled.interrupted) {
        messages = sample_messages_here(words, kept, std::move(earlier.messages));
    }
    std::vector<Sample> phases;
    if (!messages.samples.empty() && !messages.interrupted) {
        Machine known = calibration.machine;
        add_all_messaging(known, messages.samples, fit.widening);
        phases = sample_phases_here(known, words, kept, std::move(earlier.phases));
    }
    calibration.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    calibration.runs = sampled.samples.size();
    if (sampled.interrupted || messages.interrupted || InterruptGuard::asked().load()) {
        calibration.end = Calibration::End::interrupted;
        return calibration;
    }
    if (!sampled.complete) {
        calibration.end = Calibration::End::incomplete;
        return calibration;
    }
    calibration.quiet_probe = quiet_probe_seconds(sampled.samples);
    calibration.evidence = noise_of(before, probe_cores(workers), sampled.samples);
    if (!calibration.evidence.empty() && !words.allow_noise) {
        calibration.end = Calibration::End::noisy;
        return calibration;
    }
    calibration.machine.residuals = fit_gups_residuals(calibration.machine, sampled.samples);
    describe(calibration.machine, calibration, words);
    add_noise(calibration);
    add_parameters(calibration.machine, fit_sweep3d(sweeps, sampled.samples, fit));
    if (const auto clock = core_clock()) add_clock(calibration.machine, *clock);
    add_all_messaging(calibration.machine, messages.samples, fit.widening);
    add_phases(calibration.machine, phases);
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
