#include "cli/launched_run.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "calibrate/kernels/messages/tcp_part.hpp"
#include "calibrate/study/break_search.hpp"
#include "cli/launcher.hpp"
#include "cli/message_run.hpp"
#include "cli/options.hpp"
#include "model/unit.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// The place of this process among ranks over TCP that are started one by one, if the words give one.
std::optional<TcpPlace> tcp_place(const RunWords& words) {
    constexpr std::int64_t most_ranks = 64;  // as `check_messages` has it
    const bool any = !words.rank.empty() || !words.rendezvous.empty() || !words.secret.empty();
    if (!any) return std::nullopt;
    if (words.transport != "tcp") {
        throw InputError(
            "--rank, --rendezvous and --secret join a job over TCP: add --transport tcp, or leave them out");
    }
    if (words.rank.empty() || words.ranks.empty() || words.rendezvous.empty() || words.secret.empty()) {
        throw InputError(
            "a rank of a job between hosts needs all of --rank, --ranks, --rendezvous HOST:PORT and --secret FILE; "
            "without --rank, --rendezvous and --secret the ranks run on this machine");
    }
    TcpPlace place;
    place.job.ranks = small_count(words.ranks, "--ranks", most_ranks);
    place.job.rank = static_cast<int>(parse_count(words.rank, "--rank", 0, place.job.ranks - 1));
    place.rendezvous = naming("--rendezvous", [&] { return HostPort::parse(words.rendezvous); });
    return place;
}

int measure_with(const Launch& launch, const RunWords& words, const MessageOptions& options, const Report& report,
                 Output& output) {
    const SizesBetween between = sizes_between_asked(words, options);
    MessageRun run = launch.measure(options);
    if (!between.judging.empty()) run = find_breaks(std::move(run), options, between.judging, launch);
    return launch.rank == 0 ? report.report(words, options, run, output) : 0;
}

// Rank 0 alone says what is wrong, with the options of any rank: the others are silent and return 0, as with any other
// exit code a launcher would end the job, perhaps before rank 0 has said why.
int measure_under_mpi(const RunWords& words, const Report& report, Output& output) {
    const MpiJob job;
    try {
        MessageOptions options;
        job.require_same("run " + words.kernel);
        job.agree([&] {
            if (job.rank() == 0) require_output(output, report.draws);
            tcp_place(words);
            options = message_options(words, job.ranks());
        });
        const auto complain = [&output](const std::string& what) { output.err << "narrows: " << what << std::endl; };
        return measure_with(job.launch(complain), words, options, report, output);
    } catch (const InputError&) {
        if (job.rank() == 0) throw;
        return 0;
    }
}

int measure_at(const TcpPlace& place, const RunWords& words, const Report& report, Output& output) {
    const int rank = place.job.rank;
    const int ranks = place.job.ranks;
    if (rank == 0) require_output(output, report.draws);
    const Launch launch = tcp_launch(place, JobSecret::from_file(words.secret));
    const int exit_code = measure_with(launch, words, message_options(words, ranks), report, output);
    if (rank != 0) output.err << fmt::format("rank {} of {} has done its part: rank 0 reports\n", rank, ranks);
    return exit_code;
}

}  // namespace

int measure_where_asked(const RunWords& words, const Report& report, Output& output) {
    if (words.transport == "mpi") return measure_under_mpi(words, report, output);
    if (const std::optional<TcpPlace> place = tcp_place(words)) return measure_at(*place, words, report, output);
    require_no_launcher();
    require_output(output, report.draws);
    const MessageOptions options = message_options(words, 0);
    require_cores_for_fit(words, options, output);
    return measure_with(launch_here(), words, options, report, output);
}

}  // namespace narrows
