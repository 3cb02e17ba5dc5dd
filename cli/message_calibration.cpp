#include "cli/message_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/break_search.hpp"
#include "calibrate/study/message_fit.hpp"
#include "calibrate/study/message_residuals.hpp"
#include "cli/interruption.hpp"
#include "cli/messaging_machine.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

MessageSamplingLimits message_limits_of(const CalibrationWords& words) {
    MessageSamplingLimits limits;
    limits.seconds = words.budget() * share_of_messages;
    limits.most = words.quick ? 15 : 31;
    return limits;
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

MessageSampled sample_messages_of(const MpiJob& job, const CalibrationWords& words, std::optional<SamplesFile>& kept,
                                  std::ostream& err) {
    MessageSamplingHooks hooks;
    hooks.launch = job.launch([&err](const std::string& what) { err << "narrows: " << what << std::endl; });
    hooks.further_sizes = sizes_at_breaks;
    hooks.stop = &InterruptGuard::asked();
    if (kept) hooks.sink = [&kept](const MessageSample& sample) { kept->keep(sample); };
    const MessageSamplingLimits limits = message_limits_of(words);
    const InterruptGuard guard;
    return sample_messages(message_cases(Transport::mpi, job.ranks(), limits.seconds), limits, hooks);
}

Calibration calibration_of(const MessageSampled& sampled, int ranks, double seconds, const CalibrationWords& words) {
    Calibration calibration;
    calibration.seconds = seconds;
    calibration.runs = sampled.samples.size();
    calibration.examined = false;
    calibration.samples_file = words.samples_file;
    if (sampled.interrupted) {
        calibration.end = Calibration::End::interrupted;
        calibration.go_on = fmt::format("narrows calibrate --from '{}'", words.samples_file);
        return calibration;
    }
    describe_here(calibration.machine);
    calibration.machine.environment.emplace_back(
        "calibration",
        fmt::format("{} samples of messages between {} ranks under MPI in {:.0f} s", calibration.runs, ranks, seconds));
    add_all_messaging(calibration.machine, sampled.samples, 1);
    return calibration;
}

}  // namespace

MessageSampled sample_messages_here(const CalibrationWords& words, const TimeLimit& deadline, SamplesFile& kept,
                                    std::vector<MessageSample> earlier) {
    MessageSamplingHooks hooks;
    hooks.further_sizes = sizes_at_breaks;
    hooks.stop = &InterruptGuard::asked();
    hooks.sink = [&kept](const MessageSample& sample) { kept.keep(sample); };
    MessageSamplingLimits limits = message_limits_of(words);
    limits.most_seconds = deadline.left();
    std::vector<MessageOptions> cases = message_cases(Transport::shared, 2, limits.seconds);
    for (const auto& more : {distant_cases(Cores().pairs(), limits.seconds), gateway_cases(limits.seconds)}) {
        cases.insert(cases.end(), more.begin(), more.end());
    }
    return sample_messages(cases, limits, hooks, std::move(earlier));
}

std::vector<Sample> sample_phases_here(const Machine& machine, const CalibrationWords& words, const TimeLimit& deadline,
                                       SamplesFile& kept, std::vector<Sample> earlier) {
    CaseLimits limits;
    limits.workers = Cores().count();
    constexpr std::size_t quick_memory = std::size_t{16} << 20;  // long messages take long
    limits.memory = words.quick ? quick_memory : available_memory();
    return sample_messages_design(
        machine, limits, deadline.at_most(words.budget() * share_of_message_design), std::move(earlier),
        [&kept](const Sample& sample) { kept.keep(sample); }, [] { return InterruptGuard::asked().load(); });
}

void add_phases(Machine& machine, const std::vector<Sample>& phases) {
    if (const auto combining = combining_of(machine, phases)) add_combining(machine, *combining);
    for (ResidualSurface& surface : fit_residuals({message_space()}, machine, phases)) {
        machine.residuals.push_back(std::move(surface));
    }
}

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
    if (std::any_of(samples.begin(), samples.end(), shared)) add_turns(machine);
    add_messaging(machine, fit_messages(samples, widening));
    if (const auto service = gateway_service(samples, widening)) add_gateway(machine, *service);
}

Calibration calibrate_under_mpi(const CalibrationWords& words, const std::function<void()>& check, std::ostream& err) {
    const MpiJob job;
    try {
        job.require_same(fmt::format("calibrate for {} s{}", words.budget(), words.quick ? ", quick" : ""));
        std::optional<SamplesFile> kept = samples_of(job, words, check);
        if (kept) {  // said before, as who loses a rank is ended by the launcher
            err << fmt::format(
                       "narrows: samples are kept in '{0}' until the machine file is written; if the job ends before, "
                       "fit them with narrows calibrate --from '{0}'",
                       words.samples_file)
                << std::endl;
        }
        const double begin = wall_seconds();
        const MessageSampled sampled = sample_messages_of(job, words, kept, err);
        if (job.rank() == 0) return calibration_of(sampled, job.ranks(), wall_seconds() - begin, words);
    } catch (const InputError&) {
        if (job.rank() == 0) throw;
    }
    return {};
}

}  // namespace narrows
