#include "cli/launched_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "calibrate/ranks/cores.hpp"
#include "calibrate/study/break_search.hpp"
#include "calibrate/study/link_pace.hpp"
#include "calibrate/transport/transport_error.hpp"
#include "cli/launcher.hpp"
#include "cli/message_run.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "topologies/shape.hpp"

namespace narrows {

std::optional<TcpPlace> tcp_place(const OptionWords& words) {
    const bool any = words.has("--rank") || words.has("--rendezvous") || words.has("--secret");
    if (!any) return std::nullopt;
    const Transport transport = parse_transport(words["--transport"]);
    if (!over_sockets(transport)) {
        throw InputError(
            "--rank, --rendezvous and --secret join a job over TCP or UDP: add --transport tcp or udp, or leave them "
            "out");
    }
    if (!words.has("--rank") || !words.has("--ranks") || !words.has("--rendezvous") || !words.has("--secret")) {
        throw InputError(
            "a rank of a job between hosts needs all of --rank, --ranks, --rendezvous HOST:PORT and --secret FILE; "
            "without --rank, --rendezvous and --secret the ranks run on this machine");
    }
    TcpPlace place;
    const int ranks = words.count("--ranks");
    const int each = ranks_per_process(words);
    check_processes(ranks, each, transport);
    place.job.wire = {transport == Transport::udp, authenticated(words)};
    place.job.ranks = ranks / each;
    if (place.job.ranks > most_processes) {
        throw InputError(fmt::format("--ranks {}: {} processes are too many: give at most {} with --ranks-per-process",
                                     ranks, place.job.ranks, most_processes));
    }
    place.job.rank = static_cast<int>(parse_count(words["--rank"], "--rank", 0, place.job.ranks - 1));
    place.rendezvous = with_option_context("--rendezvous", [&] { return HostPort::parse(words["--rendezvous"]); });
    return place;
}

std::string said_by_others(const TcpPlace& place) {
    return fmt::format("rank {} of {} has done its part: rank 0 reports\n", place.job.rank, place.job.ranks);
}

namespace {

// Of what nobody asked for, so much as a link brings in time; the same on all ranks.
MessageOptions within(double seconds, const OptionWords& words, const MessageOptions& options, const LinkPace& pace,
                      const Launch& launch) {
    MessageSeries series;
    series.options = options;
    series.chosen_repeats = words.has("--repeats");
    if (!words.has("--bytes") && !words.has("--dimension")) series.asked = asked_sizes(words, options);
    MessageOptions limited = options;
    series.sizes_up_to = [&words, limited](std::size_t largest) mutable {
        limited.largest = largest;
        return measured_sizes(words, limited);
    };
    SeriesLimits limits;
    if (launch.rank == 0) limits = limits_within(seconds, series, pace);
    const Launch::Numbers said = launch.first_says(
        {static_cast<std::size_t>(limits.messages), static_cast<std::size_t>(limits.repeats), limits.largest});
    limited.messages = static_cast<int>(said.at(0));
    limited.repeats = static_cast<int>(said.at(1));
    if (!series.asked.empty() && said.at(2) < series.asked.back()) limited.largest = said.at(2);
    limited.sizes = measured_sizes(words, limited);
    return limited;
}

// What was measured until another rank was gone. A machine is not made of it.
int report_until_cut(const Report& report, const OptionWords& words, const MessageOptions& options,
                     const MessageRun& run, Output& output) {
    if (output.file.ends_with(".yaml")) throw TransportError(run.cut_by);
    report.report(words, options, run, output);
    output.err << fmt::format("narrows: cut off after {} samples, which stand above: {}\n", run.samples.size(),
                              run.cut_by);
    return 1;
}

// A series takes as long as the way between ranks lets it, a link or their turns on a core: by default it is such that
// all ends within some ten seconds.
int measure_in_time(const Launch& launch, const OptionWords& words, const MessageOptions& options, const Report& report,
                    Output& output) {
    constexpr double seconds_of_all = 6.5;  // after the probe
    constexpr double seconds_of_series = 4;
    const LinkPace pace = probe_link(options, launch);
    const double begin = wall_seconds();
    const auto left = [begin] { return seconds_of_all - (wall_seconds() - begin); };
    const MessageOptions limited = within(seconds_of_series, words, options, pace, launch);
    const SizesBetween between = sizes_between_asked(words, limited);
    MessageRun run = launch.measure(limited);
    const auto in_time = [&](const MessageOptions& next) { return pace.seconds_of(next) <= left(); };
    try {
        const bool search = run.cut_by.empty() && !between.judging.empty();
        if (search) run = find_breaks(run, limited, between.judging, launch, in_time);
    } catch (const TransportError& error) {
        if (launch.rank != 0) throw;
        run.cut_by = error.what();
    }
    if (launch.rank != 0) return 0;
    return run.cut_by.empty() ? report.report(words, limited, run, output)
                              : report_until_cut(report, words, limited, run, output);
}

int measure_with(const Launch& launch, const OptionWords& words, const MessageOptions& options, const Report& report,
                 Output& output) {
    const bool is_slow = options.transport != Transport::shared || options.ranks > Cores().count();
    if (is_slow) return measure_in_time(launch, words, options, report, output);
    const SizesBetween between = sizes_between_asked(words, options);
    MessageRun run = launch.measure(options);
    if (!between.judging.empty()) run = find_breaks(std::move(run), options, between.judging, launch);
    return launch.rank == 0 ? report.report(words, options, run, output) : 0;
}

// The same options, whose run tells how far it is.
MessageOptions told(MessageOptions options, const OptionWords& words, const Output& output) {
    const auto progress = std::make_shared<Progress>(output.progress, "run " + words.workload);
    options.report = [progress](double fraction) { progress->at(fraction); };
    return options;
}

// Rank 0 alone says what is wrong, with the options of any rank: the others are silent and return 0, as with any other
// exit code a launcher would end the job, perhaps before rank 0 has said why.
int measure_under_mpi(const OptionWords& words, const Report& report, Output& output) {
    const MpiJob job;
    try {
        MessageOptions options;
        job.require_same("run " + words.workload);
        job.agree([&] {
            if (job.rank() == 0) require_output(output, report.draws);
            tcp_place(words);
            options = message_options(words, job.ranks());
        });
        const auto complain = [&output](const std::string& what) { output.err << "narrows: " << what << std::endl; };
        return measure_with(job.launch(complain), words, told(options, words, output), report, output);
    } catch (const InputError&) {
        if (job.rank() == 0) throw;
        return 0;
    }
}

int measure_at(const TcpPlace& place, const OptionWords& words, const Report& report, Output& output) {
    const int rank = place.job.rank;
    if (rank == 0) require_output(output, report.draws);
    const Launch launch = tcp_launch(place, JobSecret::from_file(words["--secret"]));
    const int exit_code =
        measure_with(launch, words, told(message_options(words, place.job.ranks), words, output), report, output);
    if (rank != 0) output.remarks << said_by_others(place);
    return exit_code;
}

}  // namespace

int measure_where_asked(const OptionWords& words, const Report& report, Output& output) {
    if (words["--transport"] == "mpi") return measure_under_mpi(words, report, output);
    if (const std::optional<TcpPlace> place = tcp_place(words)) return measure_at(*place, words, report, output);
    require_no_launcher();
    require_output(output, report.draws);
    const MessageOptions options = message_options(words, 0);
    require_fit(words, options, output);
    return measure_with(launch_here(), words, told(options, words, output), report, output);
}

}  // namespace narrows
