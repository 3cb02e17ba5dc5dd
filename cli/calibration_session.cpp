#include "cli/calibration_session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "calibrate/measure/environment.hpp"
#include "calibrate/measure/noise.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/gups_fit.hpp"
#include "cli/progress.hpp"
#include "cli/samples_file.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::atomic<bool> interrupted = false;  // a signal handler can reach nothing but a global

// While it lives, Ctrl-C, a hang-up and a polite kill ask the work to end instead of ending the program.
class InterruptGuard {
  public:
    InterruptGuard() {
        interrupted = false;
        for (std::size_t i = 0; i < signals.size(); ++i)
            before_[i] = std::signal(signals[i], [](int) { interrupted = true; });
    }
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    ~InterruptGuard() {
        for (std::size_t i = 0; i < signals.size(); ++i) std::signal(signals[i], before_[i]);
    }

  private:
    static constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
    std::array<void (*)(int), 3> before_ = {};
};

SamplingLimits limits_of(const CalibrationWords& words) {
    SamplingLimits limits;
    limits.seconds = words.quick ? 30 : 240;
    // A slow or busy machine gets more time than that rather than nothing at the end of it; a budget is kept.
    limits.most_seconds = 6 * limits.seconds;
    if (words.seconds > 0) limits.seconds = limits.most_seconds = words.seconds;
    limits.least = 3;
    limits.most = words.quick ? 7 : 15;
    limits.tight = words.quick ? 0.03 : 0.02;
    return limits;
}

// The file that samples are kept in as they are taken: first, whole, those of the session that goes on.
class SamplesFile {
  public:
    SamplesFile(const std::string& name, const std::vector<Sample>& earlier) : name_(name) {
        if (name.empty()) return;
        std::string text;
        for (const Sample& sample : earlier) text += line_of(sample);
        write_whole_file(name, text);
        out_.open(name, std::ios::app);
    }

    void keep(const Sample& sample) {
        if (name_.empty()) return;
        if (!(out_ << line_of(sample) << std::flush)) {
            throw InputError(
                fmt::format("cannot write the samples to '{}': make room, then go on with --resume", name_));
        }
    }

  private:
    std::string name_;
    std::ofstream out_;
};

// A file with samples is somebody's minutes: it is gone on from, or removed by hand, never overwritten.
void require_no_samples(const CalibrationWords& words) {
    if (words.samples_file.empty() || words.resume == words.samples_file) return;
    if (!std::filesystem::exists(words.samples_file)) return;
    throw InputError(
        fmt::format("'{0}' has the samples of an unfinished calibration: go on with --resume '{0}', or remove it",
                    words.samples_file));
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
    double processor = 0;
    double threads = 0;
    for (const Sample& sample : samples) {
        processor += sample.cpu_seconds;
        threads += sample.seconds * sample.workers;
    }
    for (const std::string& line : evidence_of_noise(processor, threads)) evidence.push_back(line);
    constexpr double most_disturbed = 0.5;  // these runs are left out; half of them leave enough
    if (disturbed_share(samples) > most_disturbed) {
        evidence.push_back(
            fmt::format("{:.0f} % of the runs were taken while a probe beside them ran slower than alone",
                        100 * disturbed_share(samples)));
    }
    return evidence;
}

std::string host_name() {
    char name[256] = "";
    return gethostname(name, sizeof name - 1) == 0 ? name : "this machine";
}

void describe(Machine& machine, const Calibration& calibration, const CalibrationWords& words) {
    machine.id = host_name();
    machine.name = host_name();
    machine.source = "calibrated";
    machine.environment = describe_environment();
    machine.environment.emplace_back("calibration", fmt::format("{} runs in {:.0f} s{}", calibration.runs,
                                                                calibration.seconds, words.quick ? ", quick" : ""));
    machine.environment.emplace_back("probe", print({calibration.quiet_probe, Dimension::time, "ms"}, true));
    machine.environment.emplace_back("intervals", calibration.tight ? "tight" : "some medians are wider than asked");
    if (!calibration.evidence.empty()) {
        machine.environment.emplace_back("noise", fmt::format("{}", fmt::join(calibration.evidence, "; ")));
    }
    Parameter memory;
    memory.path = "node.memory.size";
    constexpr double mebi = 1024.0 * 1024;
    const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    memory.measure = {std::floor(pages / mebi) * mebi, Dimension::data, "MiB"};
    memory.source = "measured";
    machine.parameters.insert(machine.parameters.begin() + 1, memory);
}

}  // namespace

Calibration calibrate_here(const CalibrationWords& words, std::ostream& err) {
    Calibration calibration;
    calibration.samples_file = words.samples_file;
    calibration.go_on = going_on(words);
    require_no_samples(words);
    std::vector<Sample> earlier = words.resume.empty() ? std::vector<Sample>() : read_samples(words.resume);
    const int workers = Cores().count();
    const CoreProbe before = probe_cores(workers);
    calibration.evidence = evidence_of_noise(before);
    if (!calibration.evidence.empty() && !words.allow_noise) {
        calibration.end = Calibration::End::noisy;
        return calibration;
    }
    const auto cases = calibration_cases(words.quick ? Effort::quick : Effort::full, workers, available_memory());
    SamplesFile kept(words.samples_file, earlier);
    Progress progress(err, "calibrate");
    SamplingHooks hooks;
    hooks.stop = &interrupted;
    hooks.progress = [&](double fraction) { progress.at(fraction); };
    hooks.sink = [&](const Sample& sample) { kept.keep(sample); };
    const auto begin = std::chrono::steady_clock::now();
    const InterruptGuard guard;
    const Sampled sampled = sample(cases, limits_of(words), hooks, std::move(earlier));
    calibration.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    calibration.runs = sampled.samples.size();
    if (sampled.interrupted) {
        calibration.end = Calibration::End::interrupted;
        return calibration;
    }
    if (!sampled.complete) {
        calibration.end = Calibration::End::incomplete;
        return calibration;
    }
    calibration.tight = sampled.tight;
    calibration.quiet_probe = quiet_probe_seconds(sampled.samples);
    calibration.evidence = noise_of(before, probe_cores(workers), sampled.samples);
    if (!calibration.evidence.empty() && !words.allow_noise) {
        calibration.end = Calibration::End::noisy;
        return calibration;
    }
    FitOptions fit;
    fit.widening = calibration.evidence.empty() ? 1 : 2;
    calibration.machine = fit_gups(cases, sampled.samples, fit);
    describe(calibration.machine, calibration, words);
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
