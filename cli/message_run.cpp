#include "cli/message_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "calibrate/kernels/messages/shared_core.hpp"
#include "calibrate/kernels/program/program_ranks.hpp"
#include "calibrate/measure/noise.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/transport/packet.hpp"
#include "cli/authentication_report.hpp"
#include "cli/byte_sizes.hpp"
#include "cli/options.hpp"
#include "cli/program_words.hpp"
#include "cli/workload.hpp"
#include "cli/workload_options.hpp"

namespace narrows {
namespace {

// Ranks of a node, 0 where there are none.
int parse_node_ranks(const OptionWords& words, const MessageOptions& options) {
    constexpr int quad = 4;
    const bool by_nodes =
        options.by_rounds != nullptr ? options.by_rounds->by_nodes != nullptr : goes_by_nodes(algorithm_of(options));
    if (!by_nodes && words.has("--ranks-per-node")) {
        throw InputError("--ranks-per-node: only what goes by nodes has them: give --algorithm node-first too");
    }
    if (!by_nodes) return 0;
    return !words.has("--ranks-per-node") ? quad : words.count("--ranks-per-node");
}

// Up to 4 MiB; where each rank has a block of each other one, or all of them have one of each, up to as much as fits in
// 256 MiB with all of them in this machine.
std::vector<std::size_t> usual_sizes(const MessageOptions& options) {
    constexpr std::size_t least = 8, most = std::size_t{4} << 20, most_of_all = std::size_t{256} << 20;
    if (options.kernel == MessageKernel::barrier || options.kernel == MessageKernel::program) return {0};
    const bool has_blocks = options.kernel == MessageKernel::all_to_all || options.kernel == MessageKernel::allgather;
    const std::size_t blocks =
        has_blocks ? static_cast<std::size_t>(options.ranks) * static_cast<std::size_t>(options.ranks) : 1;
    std::vector<std::size_t> sizes = {least};
    while (sizes.back() < most && 2 * sizes.back() * blocks <= most_of_all) sizes.push_back(2 * sizes.back());
    return sizes;
}

// Vectors of as many doubles as the matrix has rows, which the ranks share evenly.
std::vector<std::size_t> vector_sizes(const std::string& dimensions, int ranks) {
    constexpr std::int64_t most_rows = 1 << 20;
    std::vector<std::size_t> sizes;
    const auto shared = [ranks](std::int64_t rows) { return (rows + ranks - 1) / ranks * ranks; };
    const std::string usual = fmt::format("{},{}", shared(512), shared(1024));
    for (const std::int64_t rows : parse_counts(dimensions.empty() ? usual : dimensions, "--dimension", 1, most_rows)) {
        if (rows % ranks != 0) {
            throw InputError(
                fmt::format("--dimension {0}: {1} ranks share the rows evenly: give a multiple of {1} up "
                            "to {2}",
                            rows, ranks, most_rows));
        }
        sizes.push_back(static_cast<std::size_t>(rows) * sizeof(double));
    }
    return sizes;
}

MessageProgress parse_progress(const std::string& text) {
    if (text.empty() || text == "poll") return MessageProgress::poll;
    if (text == "thread") return MessageProgress::thread;
    throw InputError(fmt::format(
        "--progress {}: messages progress by 'poll', when the rank calls, or by a 'thread' of their own", text));
}

// Whether ranks that send to each other are known to share a core.
bool here_on_one_core(const OptionWords& words, const MessageOptions& options) {
    const bool on_other_hosts = words.has("--rank");
    return !on_other_hosts && shares_core(options, Cores().count());
}

// Whether a measurement between pairs of ranks is none between cores, as the pair shares one. Of ranks on other hosts
// nothing is known.
bool pairs_share_core(const OptionWords& words, const MessageOptions& options) {
    const bool pairs = between_pairs(options.kernel) || options.kernel == MessageKernel::overlap;
    return pairs && here_on_one_core(words, options);
}

// By what a protocol brings the kernel's messages.
std::string operation_of(const MessageOptions& options) {
    if (least_bytes(options.kernel, options.protocol) > 0) return "puts";
    const bool handled = options.kernel == MessageKernel::stream && record_of(options.protocol).handles;
    return handled ? "handlers" : "sends and receives";
}

std::vector<std::size_t> sizes_in_words(const OptionWords& words, const MessageOptions& options) {
    if (options.kernel != MessageKernel::matvec) {
        if (!words.has("--bytes")) return usual_sizes(options);
        const std::vector<std::int64_t> sizes = parse_byte_sizes(words["--bytes"], "--bytes");
        return {sizes.begin(), sizes.end()};
    }
    std::vector<std::size_t> sizes = vector_sizes(words["--dimension"], options.ranks);
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

}  // namespace

std::vector<std::size_t> asked_sizes(const OptionWords& words, const MessageOptions& options) {
    std::vector<std::size_t> sizes = sizes_in_words(words, options);
    if (options.largest) std::erase_if(sizes, [&](std::size_t bytes) { return bytes > *options.largest; });
    return sizes;
}

std::vector<std::size_t> left_out_sizes(const OptionWords& words, const MessageOptions& options) {
    if (!options.largest) return {};
    std::vector<std::size_t> sizes = sizes_in_words(words, options);
    std::erase_if(sizes, [&](std::size_t bytes) { return bytes <= *options.largest; });
    return sizes;
}

std::vector<std::size_t> measured_sizes(const OptionWords& words, const MessageOptions& options) {
    std::vector<std::size_t> sizes = asked_sizes(words, options);
    const SizesBetween between = sizes_between_asked(words, options);
    for (const auto* more : {&between.fitted, &between.judging}) {
        sizes.insert(sizes.end(), more->begin(), more->end());
    }
    std::ranges::sort(sizes);
    return sizes;
}

std::string left_out_remark(const OptionWords& words, const MessageOptions& options) {
    const std::vector<std::size_t> sizes = left_out_sizes(words, options);
    if (sizes.empty()) return "";
    return fmt::format("Left out because they take long: {} B. {} measures them.", fmt::join(sizes, ", "),
                       options.kernel == MessageKernel::matvec ? "--dimension" : "--bytes");
}

std::string shared_core_remark(const OptionWords& words, const MessageOptions& options) {
    if (pairs_share_core(words, options)) {
        return "Ranks that send to each other share a core: these are not times of messages between cores, and the fit "
               "is not judged by them.";
    }
    if (!here_on_one_core(words, options)) return "";
    return "Some ranks that send to each other share a core: their messages are not between cores.";
}

void require_fit(const OptionWords& words, const MessageOptions& options, const Output& output) {
    if (!output.file.ends_with(".yaml")) return;
    if (asked_sizes(words, options).size() == 1) {
        throw InputError(
            fmt::format("-o {}: one size does not tell the time of a byte: give --bytes two or more", output.file));
    }
    if (!pairs_share_core(words, options)) return;
    throw InputError(fmt::format(
        "-o {}: ranks that send to each other share a core, so that messages do not go between cores: {}", output.file,
        Cores().count() == 1              ? "run where there are two cores or more"
        : over_sockets(options.transport) ? "give no more processes than cores"
                                          : "give --workers 2 or more"));
}

SizesBetween sizes_between_asked(const OptionWords& words, const MessageOptions& options) {
    const bool has_curve = options.kernel != MessageKernel::matvec && options.kernel != MessageKernel::overlap &&
                           options.kernel != MessageKernel::program;
    if (!has_curve) return {};
    if (pairs_share_core(words, options)) return {};
    return sizes_between(asked_sizes(words, options));
}

Protocol protocol_or(const OptionWords& words, Protocol usual) {
    if (!words.has("--protocol")) return usual;
    return with_option_context("--protocol", [&] { return parse_protocol(words["--protocol"]); });
}

int ranks_per_process(const OptionWords& words) {
    return std::max(1, words.count("--ranks-per-process"));
}

int launched_ranks(const OptionWords& words, int processes) {
    const std::int64_t ranks = std::int64_t{processes} * ranks_per_process(words);
    if (ranks <= most_packet_ranks) return static_cast<int>(ranks);
    throw InputError(fmt::format("--ranks-per-process {}: {} processes of so many ranks have more than {}",
                                 words["--ranks-per-process"], processes, most_packet_ranks));
}

Transport parse_transport(const std::string& text) {
    if (text.empty()) return Transport::shared;
    if (const auto known = transport_named(text)) return *known;
    throw InputError(fmt::format("--transport {}: bytes move by 'shared', 'tcp', 'udp' or 'mpi'", text));
}

bool authenticated(const OptionWords& words) {
    if (words.has("--no-authentication") && !over_sockets(parse_transport(words["--transport"]))) {
        throw InputError(
            "--no-authentication: only what goes over TCP and UDP is authenticated: add --transport tcp or udp, or "
            "leave it out");
    }
    return !words.has("--no-authentication");
}

MessageOptions message_options(const OptionWords& words, int launched) {
    MessageOptions options;
    options.kernel = message_kernel(words.workload).value_or(MessageKernel::program);
    options.domain = words.count("--domain");
    options.protocol = protocol_or(words, options.domain != 0 ? Protocol::receiver_initiated : options.protocol);
    options.overlap_legs = words.has("--overlap-legs");
    options.transport = parse_transport(words["--transport"]);
    options.authenticated = authenticated(words);
    if (words.has("--ranks")) options.ranks = words.count("--ranks");
    options.ranks_per_process = ranks_per_process(words);
    launched = launched_ranks(words, launched);
    if (launched != 0 && words.has("--ranks") && options.ranks != launched) {
        throw InputError(
            fmt::format("--ranks {}: the launcher started {}: leave --ranks out", words["--ranks"], launched));
    }
    if (launched != 0) options.ranks = launched;
    options.workers = words.count("--workers");
    if (words.has("--neighbours")) options.neighbours = words.count("--neighbours");
    if (words.has("--pattern")) {
        options.pattern = with_option_context("--pattern", [&] { return parse_stream_pattern(words["--pattern"]); });
    }
    options.progress = parse_progress(words["--progress"]);
    if (words.has("--algorithm")) {
        with_option_context("--algorithm", [&] { choose_algorithm(options, words["--algorithm"]); });
    }
    options.node_ranks = parse_node_ranks(words, options);
    options.sizes = measured_sizes(words, options);
    if (options.kernel == MessageKernel::program) {
        const Program& program = *words.program;
        const std::vector<int> grid = program_grid(program, words["--grid"], options.ranks);
        const std::int64_t node = options.transport == Transport::shared ? options.ranks : options.ranks_per_process;
        options.program = program_ranks(phases_of(program, grid, program_options(program, words), node), options.ranks);
        options.repeats = 5;
        options.messages = 1;
    }
    if (words.has("--repeats")) options.repeats = words.count("--repeats");
    return options;
}

nlohmann::ordered_json end_of_interval(const OrderEstimate& estimate, double end) {
    return estimate.has_interval() ? nlohmann::ordered_json(end) : nullptr;
}

std::string way_of(const OptionWords& words, const MessageOptions& options) {
    std::string how;
    if (options.pattern != StreamPattern::pairs) how = fmt::format("{} ", name_of(options.pattern));
    if (!algorithms_of(options.kernel).empty()) how = fmt::format("{} ", algorithm_name(options));
    return fmt::format("{}{} by {} over {}", how, words.workload, name_of(options.protocol),
                       name_of(options.transport));
}

std::string title_of(const OptionWords& words, const MessageOptions& options, const MessageRun& run) {
    const std::string what = options.transport != Transport::shared ? "process"
                             : run.pinned                           ? "pinned thread"
                                                                    : "unpinned thread";
    return fmt::format("{} ({}): {} on {}, {} of each size", way_of(words, options), operation_of(options),
                       counted(run.ranks, "rank"), counted(run.workers, what), counted(options.repeats, "sample"));
}

std::vector<std::string> evidence_of_noise(const MessageRun& run) {
    if (!run.own_cores) return {};
    return evidence_of_neighbours(run.cpu_seconds / run.awake_seconds, run.involuntary_switches, run.seconds);
}

nlohmann::ordered_json json_of_messages(const OptionWords& words, const MessageOptions& options,
                                        const MessageRun& run) {
    nlohmann::ordered_json json = json_of("run");
    json["kernel"] = words.workload;
    json["variant"] = nullptr;
    json["protocol"] = name_of(options.protocol);
    json["operation"] = operation_of(options);
    if (options.kernel == MessageKernel::stream) json["pattern"] = name_of(options.pattern);
    if (!algorithms_of(options.kernel).empty()) json["algorithm"] = algorithm_name(options);
    if (options.by_rounds != nullptr) json["by_rounds"] = true;
    json["transport"] = name_of(options.transport);
    add_authentication(options.transport, options.authenticated, json);
    if (options.domain != 0) json["domain"] = options.domain;
    if (options.overlap_legs) json["overlap_legs"] = true;
    json["ranks"] = run.ranks;
    json["workers"] = run.workers;
    json["shape"] = nullptr;
    json["seconds"] = run.seconds;
    json["cpu_seconds"] = run.cpu_seconds;
    json["involuntary_switches"] = run.involuntary_switches;
    json["pinned"] = run.pinned;
    json["noise"] = run.own_cores ? nlohmann::ordered_json(evidence_of_noise(run)) : nullptr;
    json["verified"] = json_or_null(run.verified);
    json["errors"] = run.errors;
    json["left_out"] = left_out_sizes(words, options);
    json["cut_by"] = run.cut_by.empty() ? nullptr : nlohmann::ordered_json(run.cut_by);
    return json;
}

}  // namespace narrows
