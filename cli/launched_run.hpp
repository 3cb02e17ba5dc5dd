#pragma once

#include <functional>
#include <optional>
#include <string>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/messages/mpi_job.hpp"
#include "calibrate/kernels/messages/tcp_part.hpp"
#include "calibrate/study/run_length.hpp"
#include "calibrate/transport/tcp_mesh.hpp"
#include "cli/kernel.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

/// The place of this process in a job over TCP or UDP whose processes are started one by one, if the words give one.
std::optional<TcpPlace> tcp_place(const OptionWords& words);

/// What a process other than the first says when it has done its part.
std::string said_by_others(const TcpPlace& place);

/// A kernel whose options and results are of these types, as part of a job. What all processes must have in common is
/// the `job_plan` of the options.
template <class Options, class Run>
struct LaunchedKernel {
    /// Checked, for a job of so many processes.
    std::function<Options(int processes)> options;
    std::function<Run(const MpiJob& job, const Options& options,
                      const std::function<void(const std::string&)>& complain)>
        under_mpi;
    std::function<Run(const TcpPlace& place, const JobSecret& secret, const Options& options)> at;
    /// How long such a run is; nothing where somebody asked for a length.
    std::function<RunLength(const Options& options)> length;
    /// The same run, but so long.
    std::function<Options(const Options& options, std::uint64_t length)> of_length;
    /// On the first process; returns the exit code.
    std::function<int(const Options& options, const Run& run)> report;

    /// The options of a run that ends in time where nobody asked for its length, by short runs; called on all
    /// processes together, whose first decides.
    Options in_time(const Options& asked, const std::function<Run(const Options&)>& run,
                    const std::function<Launch::Numbers(const Launch::Numbers&)>& first_says) const {
        const RunLength usual = length(asked);
        if (usual.usual == 0) return asked;
        const auto seconds = [&](std::uint64_t probe) { return run(of_length(asked, probe)).seconds; };
        return of_length(asked, length_in_time(usual, seconds, first_says));
    }
};

/// The part of this process in a launcher's job, as `run_launched` has it.
template <class Options, class Run>
int run_under_launcher(const OptionWords& words, const LaunchedKernel<Options, Run>& kernel, Output& output) {
    const MpiJob job;
    std::optional<Options> options;
    try {
        job.require_same("run " + words.workload);
        job.agree([&] {
            if (job.rank() == 0) require_output(output, Draws::no);
            tcp_place(words);
            options = kernel.options(job.ranks());
        });
        Launch::Numbers plan = job_plan(*options);
        plan.push_back(kernel.length(*options).usual);
        job.require_same(plan);
    } catch (const InputError&) {
        if (job.rank() == 0) throw;
        return 0;
    }
    const auto complain = [&output](const std::string& what) { output.err << "narrows: " << what << std::endl; };
    const auto run = [&](const Options& chosen) { return kernel.under_mpi(job, chosen, complain); };
    const Options chosen = kernel.in_time(*options, run, job.launch(complain).first_says);
    const Run measured = run(chosen);
    return job.rank() == 0 ? kernel.report(chosen, measured) : 0;
}

/// The part of this process in a job over TCP or UDP between hosts, as `run_launched` has it.
template <class Options, class Run>
int run_at_place(const TcpPlace& place, const OptionWords& words, const LaunchedKernel<Options, Run>& kernel,
                 Output& output) {
    if (place.job.rank == 0) require_output(output, Draws::no);
    const JobSecret secret = JobSecret::from_file(words["--secret"]);
    TcpPlace next = place;
    const auto run = [&](const Options& options) {
        std::string plan = "run " + words.workload;
        for (const std::size_t number : job_plan(options)) plan += " " + std::to_string(number);
        Run measured = kernel.at(next, secret.bound_to(plan), options);
        next = met_again(next);
        return measured;
    };
    const auto first_says = [&](const Launch::Numbers& own) { return tcp_launch(next, secret).first_says(own); };
    const Options options = kernel.in_time(kernel.options(place.job.ranks), run, first_says);
    const Run measured = run(options);
    if (place.job.rank == 0) return kernel.report(options, measured);
    output.remarks << said_by_others(place);
    return 0;
}

/// This process's part in the job that the words ask for, of a launcher or over TCP or UDP between hosts; the exit
/// code, or nothing where they ask for none. Rank 0 alone reports, and says what is wrong with the options of any rank
/// under a launcher: the others are silent and return 0, as with any other exit code it would end the job, perhaps
/// before rank 0 has said why.
template <class Options, class Run>
std::optional<int> run_launched(const OptionWords& words, const LaunchedKernel<Options, Run>& kernel, Output& output) {
    if (words["--transport"] == "mpi") return run_under_launcher(words, kernel, output);
    const std::optional<TcpPlace> place = tcp_place(words);
    if (!place) return std::nullopt;
    return run_at_place(*place, words, kernel, output);
}

/// How a kernel's measurement is reported.
struct Report {
    /// Prints or writes what was measured as the words ask for it; returns the exit code.
    int (*report)(const OptionWords& words, const MessageOptions& options, const MessageRun& run, Output& output);
    Draws draws;
};

/// Measures what the words ask for where they ask for it: with ranks of this process or its children, or as one of the
/// ranks of a launcher or of a job between hosts, of which rank 0 reports. Returns the exit code.
int measure_where_asked(const OptionWords& words, const Report& report, Output& output);

}  // namespace narrows
