#include "cli/calibration_session.hpp"

#include <fmt/format.h>
#include <unistd.h>

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
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::atomic<bool> interrupted = false;  // a signal handler can reach nothing but a global

// While it lives, Ctrl-C asks the work to end instead of ending the program.
class InterruptGuard {
  public:
    InterruptGuard() {
        interrupted = false;
        before_ = std::signal(SIGINT, [](int) { interrupted = true; });
    }
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    ~InterruptGuard() { std::signal(SIGINT, before_); }

  private:
    void (*before_)(int) = nullptr;
};

SamplingLimits limits_of(const CalibrationWords& words) {
    SamplingLimits limits;
    limits.seconds = words.quick ? 30 : 240;
    limits.least = words.quick ? 3 : 6;
    limits.most = words.quick ? 7 : 15;
    limits.tight = words.quick ? 0.03 : 0.02;
    return limits;
}

void keep_all(const std::vector<Sample>& samples, const std::string& file) {
    std::ofstream out(file);
    for (const Sample& sample : samples) out << line_of(sample);
    if (!out.flush()) throw InputError(fmt::format("cannot write the samples to '{}'", file));
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
    machine.environment.emplace_back("intervals", calibration.tight ? "tight" : "some medians are wider than asked");
    for (const std::string& line : calibration.evidence) machine.environment.emplace_back("noise", line);
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
    std::vector<Sample> earlier = words.resume.empty() ? std::vector<Sample>() : read_samples(words.resume);
    const int workers = Cores().count();
    const CoreProbe before = probe_cores(workers);
    calibration.evidence = evidence_of_noise(before);
    if (!calibration.evidence.empty() && !words.allow_noise) {
        calibration.end = Calibration::End::noisy;
        return calibration;
    }
    const auto cases = calibration_cases(words.quick ? Effort::quick : Effort::full, workers, available_memory());
    std::ofstream kept;
    if (!words.samples_file.empty()) {
        kept.open(words.samples_file, words.resume == words.samples_file ? std::ios::app : std::ios::trunc);
        if (!kept) throw InputError(fmt::format("cannot write the samples to '{}'", words.samples_file));
        if (words.resume != words.samples_file) {
            for (const Sample& sample : earlier) kept << line_of(sample);
        }
    }
    Progress progress(err, "calibrate");
    SamplingHooks hooks;
    hooks.stop = &interrupted;
    hooks.progress = [&](double fraction) { progress.at(fraction); };
    hooks.sink = [&](const Sample& sample) {
        if (kept.is_open()) kept << line_of(sample) << std::flush;
    };
    const auto begin = std::chrono::steady_clock::now();
    const InterruptGuard guard;
    const Sampled sampled = sample(cases, limits_of(words), hooks, std::move(earlier));
    calibration.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    calibration.runs = sampled.samples.size();
    if (sampled.interrupted) {
        calibration.end = Calibration::End::interrupted;
        if (calibration.samples_file.empty()) {
            calibration.samples_file = "calibration.samples.jsonl";
            keep_all(sampled.samples, calibration.samples_file);
        }
        return calibration;
    }
    calibration.tight = sampled.tight;
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
    constexpr int interrupted_code = 1;
    constexpr int noisy_code = 3;
    if (calibration.end == Calibration::End::interrupted) {
        err << fmt::format(
            "narrows: interrupted; {} samples are kept in '{}': go on with narrows calibrate --resume '{}'\n",
            calibration.runs, calibration.samples_file, calibration.samples_file);
        return interrupted_code;
    }
    err << "narrows: this machine is too noisy to be measured:\n";
    for (const std::string& line : calibration.evidence) err << "  " << line << "\n";
    err << "Stop what else runs here, or take wider intervals with --allow-noise.\n";
    if (!calibration.samples_file.empty() && calibration.runs > 0) {
        err << fmt::format("The samples are kept in '{}'.\n", calibration.samples_file);
    }
    return noisy_code;
}

}  // namespace narrows
