#include "cli/calibration_session.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/repertoire.hpp"
#include "data/library.hpp"
#include "data/machine_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// A word of a shell's command line.
std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char each : word) text += each == '\'' ? "'\\''" : std::string(1, each);
    return text + "'";
}

std::string going_on(const CalibrationWords& words) {
    if (words.transport == "mpi") return "narrows calibrate --from " + quoted(words.samples_file);
    const std::string ending = unfinished_samples;
    std::string command = "narrows calibrate --resume " + quoted(words.samples_file);
    if (words.choice.quick) command += " --quick";
    if (words.choice.allow_noise) command += " --allow-noise";
    for (const std::string& file : words.history) command += " --history " + quoted(file);
    if (!words.samples_file.ends_with(ending)) return command;
    const std::string file = words.samples_file.substr(0, words.samples_file.size() - ending.size());
    return file.ends_with(".yaml") ? command + " -o " + quoted(file) : command;
}

std::vector<Machine> history_of(const CalibrationWords& words) {
    std::vector<Machine> earlier;
    std::set<std::string> known;
    for (const std::string& file : words.history) {
        earlier.push_back(load_machine(file));
        std::error_code none;
        const bool goes_on = std::filesystem::equivalent(file + ".samples.jsonl", words.resume, none);
        if (goes_on || !known.insert(write_machine(earlier.back())).second) {
            throw InputError(fmt::format("--history {}: its session is {} already: leave it out", file,
                                         goes_on ? "in the samples of --resume" : "there"));
        }
        if (!earlier.back().residuals.empty()) continue;
        throw InputError(
            fmt::format("--history {}: it has no 'residuals', which calibrations since this version have: "
                        "leave it out",
                        file));
    }
    return earlier;
}

CalibrationHooks hooks_of(SamplesFile& kept) {
    CalibrationHooks hooks;
    hooks.sink = [&kept](const Sample& sample) { kept.keep(sample); };
    hooks.message_sink = [&kept](const MessageSample& sample) { kept.keep(sample); };
    hooks.stop = &InterruptGuard::asked();
    return hooks;
}

// Rank 0 alone has a file to keep samples in.
std::optional<SamplesFile> samples_of(const MpiJob& job, const CalibrationWords& words,
                                      const std::function<void()>& check) {
    std::optional<SamplesFile> kept;
    job.agree([&] {
        if (job.rank() != 0) return;
        check();
        require_no_samples(words);
        kept.emplace(words.samples_file, AllSamples());
    });
    return kept;
}

}  // namespace

std::vector<CalibratedKernel> calibrated_kernels(const Repertoire& known) {
    std::vector<CalibratedKernel> all;
    for (const Kernel& kernel : known.kernels) {
        if (kernel.calibrated) all.push_back(*kernel.calibrated);
    }
    return all;
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

Calibration calibrate_from(const CalibrationWords& words, const std::string& file) {
    const AllSamples samples = read_samples(file);
    return with_option_context("--from " + file, [&] {
        return calibrate_from(words.choice, samples, file, [&file](std::size_t rare, std::size_t known) {
            throw InputError(fmt::format(
                "{1} of its {2} cases were run fewer than 3 times, so that a disturbed run would not show: go on with "
                "'narrows calibrate --resume {0}' on the machine that was measured, or take intervals four times as "
                "wide with --allow-noise",
                file, rare, known));
        });
    });
}

Calibration calibrate_here(const CalibrationWords& words, std::ostream& progress_lines) {
    require_no_samples(words);
    CalibrationChoice choice = words.choice;
    choice.history = history_of(words);
    const AllSamples earlier = words.resume.empty() ? AllSamples() : read_samples(words.resume);
    choice.earlier = static_cast<const CalibrationSamples&>(earlier);
    SamplesFile kept(words.samples_file, earlier);
    const InterruptGuard guard;
    Progress progress(progress_lines, "calibrate");
    CalibrationHooks hooks = hooks_of(kept);
    hooks.progress = [&](double fraction) { progress.at(fraction); };
    Calibration calibration = calibrate_here(choice, hooks);
    if (calibration.runs > 0) kept.keep_earlier();
    return calibration;
}

Calibration calibrate_under_mpi(const CalibrationWords& words, const std::function<void()>& check, std::ostream& err) {
    const MpiJob job;
    try {
        job.require_same(
            fmt::format("calibrate for {} s{}", words.choice.budget(), words.choice.quick ? ", quick" : ""));
        std::optional<SamplesFile> kept = samples_of(job, words, check);
        if (kept) {  // said before, as who loses a rank is ended by the launcher
            err << fmt::format(
                       "narrows: samples are kept in '{0}' until there is a machine; should the job end before, "
                       "narrows calibrate --from '{0}' fits them",
                       words.samples_file)
                << std::endl;
        }
        const double begin = wall_seconds();
        CalibrationHooks hooks;
        if (kept) hooks = hooks_of(*kept);
        hooks.stop = &InterruptGuard::asked();
        const InterruptGuard guard;
        const Launch launch = job.launch([&err](const std::string& what) { err << "narrows: " << what << std::endl; });
        const MessageSampled sampled = sample_messages_of(words.choice, launch, job.ranks(), hooks);
        if (job.rank() == 0) return calibration_of(sampled, job.ranks(), wall_seconds() - begin);
    } catch (const InputError&) {
        if (job.rank() == 0) throw;
    }
    return {};
}

int explain_end(const Calibration& calibration, const CalibrationWords& words, std::ostream& err) {
    constexpr int not_done = 1;
    constexpr int noisy = 3;
    const bool kept = !words.samples_file.empty() && calibration.runs > 0;
    const std::string samples = kept ? fmt::format("{} samples are kept in '{}': go on with {}\n", calibration.runs,
                                                   words.samples_file, going_on(words))
                                     : "No samples were kept: 'narrows calibrate --quick -o here.yaml' keeps them.\n";
    if (calibration.end == Calibration::End::interrupted) {
        err << "narrows: interrupted. " << samples;
        return not_done;
    }
    if (calibration.end == Calibration::End::incomplete) {
        err << fmt::format("narrows: the time was too short for every case to be run often enough ({}). ",
                           calibration.runs_text())
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
