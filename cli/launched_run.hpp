#pragma once

#include <functional>
#include <optional>
#include <string>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/messages/mpi_job.hpp"
#include "calibrate/transport/tcp_mesh.hpp"
#include "cli/run_kernels.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

/// The place of this process in a job over TCP or UDP whose processes are started one by one, if the words give one.
std::optional<TcpPlace> tcp_place(const RunWords& words);

/// What a process other than the first says when it has done its part.
std::string said_by_others(const TcpPlace& place);

/// A kernel whose options and results are of these types, as part of a job.
template <class Options, class Run>
struct LaunchedKernel {
    /// Checked, for a job of so many processes.
    std::function<Options(int processes)> options;
    /// What all processes must have in common.
    std::function<Launch::Numbers(const Options& options)> plan;
    std::function<Run(const MpiJob& job, const Options& options,
                      const std::function<void(const std::string&)>& complain)>
        under_mpi;
    std::function<Run(const TcpPlace& place, const JobSecret& secret, const Options& options)> at;
    /// On the first process; returns the exit code.
    std::function<int(const Options& options, const Run& run)> report;
};

/// This process's part in the job that the words ask for, of a launcher or over TCP or UDP between hosts; the exit
/// code, or nothing where they ask for none. Rank 0 alone reports, and says what is wrong with the options of any rank
/// under a launcher: the others are silent and return 0, as with any other exit code it would end the job, perhaps
/// before rank 0 has said why.
template <class Options, class Run>
std::optional<int> run_launched(const RunWords& words, const LaunchedKernel<Options, Run>& kernel, Output& output) {
    if (words.transport == "mpi") {
        const MpiJob job;
        std::optional<Options> options;
        try {
            job.require_same("run " + words.kernel);
            job.agree([&] {
                if (job.rank() == 0) require_output(output, Draws::no);
                tcp_place(words);
                options = kernel.options(job.ranks());
            });
            job.require_same(kernel.plan(*options));
        } catch (const InputError&) {
            if (job.rank() == 0) throw;
            return 0;
        }
        const Run run = kernel.under_mpi(
            job, *options, [&output](const std::string& what) { output.err << "narrows: " << what << std::endl; });
        return job.rank() == 0 ? kernel.report(*options, run) : 0;
    }
    const std::optional<TcpPlace> place = tcp_place(words);
    if (!place) return std::nullopt;
    if (place->job.rank == 0) require_output(output, Draws::no);
    const Options options = kernel.options(place->job.ranks);
    std::string plan = "run " + words.kernel;
    for (const std::size_t number : kernel.plan(options)) plan += " " + std::to_string(number);
    const Run run = kernel.at(*place, JobSecret::from_file(words.secret).bound_to(plan), options);
    if (place->job.rank == 0) return kernel.report(options, run);
    output.err << said_by_others(*place);
    return 0;
}

/// How a kernel's measurement is reported.
struct Report {
    /// Prints or writes what was measured as the words ask for it; returns the exit code.
    int (*report)(const RunWords& words, const MessageOptions& options, const MessageRun& run, Output& output);
    Draws draws;
};

/// Measures what the words ask for where they ask for it: with ranks of this process or its children, or as one of the
/// ranks of a launcher or of a job between hosts, of which rank 0 reports. Returns the exit code.
int measure_where_asked(const RunWords& words, const Report& report, Output& output);

}  // namespace narrows
