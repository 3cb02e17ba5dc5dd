#include "cli/launched_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "calibrate/kernels/messages/tcp_part.hpp"
#include "calibrate/study/break_search.hpp"
#include "cli/message_run.hpp"
#include "cli/options.hpp"
#include "model/unit.hpp"

namespace narrows {

int measure_where_asked(const RunWords& words, ReportOfWords report_of_words, Output& output) {
    const auto options_of = [&words](int launched) { return message_options(words, launched); };
    const auto report = [&](const MessageOptions& options, const MessageRun& run) {
        return report_of_words(words, options, run, output);
    };
    if (words.transport == "mpi") {
        const auto checked = [&](int launched) {
            tcp_place(words);
            return options_of(launched);
        };
        return run_under_mpi(checked, report, output.err);
    }
    if (const std::optional<TcpPlace> place = tcp_place(words)) {
        return run_at(*place, JobSecret::from_file(words.secret), options_of, report, output.err);
    }
    const MessageOptions options = options_of(0);
    MessageRun run = measure_messages(options);
    const SizesBetween between = sizes_between_asked(words, options);
    if (!between.judging.empty()) run = find_breaks(std::move(run), options, between.judging, measure_messages);
    return report(options, run);
}

int run_under_mpi(const OptionsOfRanks& options_of, const Report& report, std::ostream& err) {
    const MpiJob job;
    try {
        MessageOptions options;
        job.agree([&] {
            options = options_of(job.ranks());
            check_messages(options);
        });
        const auto complain = [&err](const std::string& what) { err << "narrows: " << what << std::endl; };
        const MessageRun run = measure_part(options, job.rank(), job.part(complain));
        return job.rank() == 0 ? report(options, run) : 0;
    } catch (const InputError&) {
        if (job.rank() == 0) throw;
        return 0;  // with any other a launcher would end the job, perhaps before rank 0 has said why
    }
}

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

int run_at(const TcpPlace& place, const JobSecret& secret, const OptionsOfRanks& options_of, const Report& report,
           std::ostream& err) {
    const auto [rank, ranks] = place.job;
    const MessageOptions options = options_of(ranks);
    const MessageRun run = measure_part(options, rank, tcp_part(place, secret));
    if (rank == 0) return report(options, run);
    err << fmt::format("rank {} of {} has done its part: rank 0 reports\n", rank, ranks);
    return 0;
}

}  // namespace narrows
