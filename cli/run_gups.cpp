#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/ranks/cores.hpp"
#include "cli/authentication_report.hpp"
#include "cli/counters_csv.hpp"
#include "cli/gups_clock.hpp"
#include "cli/gups_workload.hpp"
#include "cli/kernel.hpp"
#include "cli/launched_run.hpp"
#include "cli/launcher.hpp"
#include "cli/processor_costs.hpp"
#include "cli/progress.hpp"
#include "cli/workload.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::string variant_of(const OptionWords& words) {
    if (words.has("--variant")) return words["--variant"];
    return !words.has("--protocol") && !words.has("--domain") ? "routed" : "exchanged";
}

GupsVariant kernel_variant(const std::string& name) {
    const std::vector<std::pair<std::string, GupsVariant>> known = {{"sequential", GupsVariant::sequential},
                                                                    {"naive", GupsVariant::naive},
                                                                    {"bucketed", GupsVariant::bucketed},
                                                                    {"exchanged", GupsVariant::exchanged},
                                                                    {"routed", GupsVariant::routed},
                                                                    {"shmem", GupsVariant::shmem},
                                                                    {"local", GupsVariant::local}};
    std::vector<std::string> names;
    for (const auto& [text, variant] : known) {
        if (text == name) return variant;
        names.push_back(text);
    }
    throw InputError(fmt::format("--variant {}: run gups has no such variant{} (it has: {})", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

std::uint64_t table_words(const OptionWords& words, std::int64_t ranks) {
    const Data table = !words.has("--table")
                           ? default_table(ranks)
                           : with_option_context("--table", [&] { return parse_data(words["--table"]); });
    const double words_of_table = table / bytes(8);
    const auto whole = static_cast<std::uint64_t>(std::clamp(words_of_table, 0.0, 1e18));
    if (static_cast<double>(whole) != words_of_table || !std::has_single_bit(whole)) {
        throw InputError(
            fmt::format("--table {}: a table is a power of two of words of 8 B, such as '1 MiB'", words["--table"]));
    }
    return whole;
}

Protocol messaging_of(const OptionWords& words) {
    return protocol_or(words, !words.has("--domain") ? Protocol::active_message : Protocol::receiver_initiated);
}

// Messages are sent and received by a protocol, in domains behind gateways or not.
void choose_messaging(const OptionWords& words, GupsOptions& options) {
    const bool by_protocol = options.variant == GupsVariant::exchanged;
    const bool sends = options.variant != GupsVariant::sequential && options.variant != GupsVariant::local;
    if (words.has("--in-transit") && !sends) {
        throw InputError(fmt::format("--in-transit: the {} variant sends no packets: leave it out", variant_of(words)));
    }
    if (words.has("--in-transit") && (by_protocol || options.variant == GupsVariant::shmem)) {
        throw InputError(fmt::format("--in-transit: the {} variant sends by a protocol of its own: leave it out",
                                     variant_of(words)));
    }
    if (!by_protocol) {
        if (!words.has("--protocol") && !words.has("--domain")) return;
        if (options.variant == GupsVariant::shmem) {
            throw InputError("--variant shmem puts by the command queue: leave --protocol and --domain out");
        }
        throw InputError(
            fmt::format("--variant {} sends by itself: leave --protocol and --domain out", variant_of(words)));
    }
    options.protocol = messaging_of(words);
    options.domain = words.count("--domain");
    if (options.domain != 0 && options.protocol != Protocol::receiver_initiated) {
        throw InputError("--domain: gateways forward receiver-initiated messages only: leave --protocol out");
    }
}

void choose_work(const OptionWords& words, std::int64_t ranks, GupsOptions& options) {
    options.table_words = table_words(words, ranks);
    if (words.has("--updates")) {
        options.updates = words.count<std::uint64_t>("--updates");
    }
    if (words.has("--first-update")) {
        options.first_update = words.count<std::uint64_t>("--first-update");
    }
    options.pages = small_pages(words["--pages"]) ? PageSize::small : PageSize::large;
    options.verify = !words.has("--skip-verification");
}

GupsOptions clocked_options(const OptionWords& words, const ClockedMachine& clocked) {
    GupsOptions options{.ranks = static_cast<int>(clocked.placement.ranks()),
                        .shape = clocked.placement.shape,
                        .bucket = clocked.bucket,
                        .clock = clocked.clock};
    choose_work(words, options.ranks, options);
    if (!words.has("--updates")) {
        // An update takes some 10 us by the clock: minutes, and still hundreds for each rank.
        constexpr std::uint64_t most = 40 << 20, least_of_rank = 640;
        const std::uint64_t all = 4 * options.table_words;
        options.updates = std::min(all, std::max(most, least_of_rank * static_cast<std::uint64_t>(options.ranks)));
    }
    return options;
}

GupsOptions options_of(const OptionWords& words) {
    GupsOptions options{.variant = kernel_variant(variant_of(words)),
                        .ranks = words.count("--ranks"),
                        .transport = parse_transport(words["--transport"]),
                        .authenticated = authenticated(words),
                        .ranks_per_process = ranks_per_process(words),
                        .processor = parse_processor_costs(words["--processor"])};
    if (words.has("--shape"))
        options.shape = with_option_context("--shape", [&] { return parse_shape(words["--shape"]); });
    const bool shaped = options.variant == GupsVariant::routed || options.variant == GupsVariant::exchanged;
    const bool exchanges = options.variant != GupsVariant::sequential && options.variant != GupsVariant::local;
    if (exchanges && options.ranks == 0 && options.shape.empty()) options.ranks = std::max(2, Cores().count());
    if (shaped && options.shape.empty()) {
        options.shape = default_rank_shape(options.ranks);
    }
    const std::int64_t ranks = options.shape.empty() ? std::max(1, options.ranks) : shape_nodes(options.shape);
    choose_work(words, ranks, options);
    options.bucket = words.count("--bucket");
    options.receive_buffers = words.count("--receive-buffers");
    if (words.has("--in-transit")) options.in_transit = words.count("--in-transit");
    options.workers = words.count("--workers");
    choose_messaging(words, options);
    return options;
}

nlohmann::ordered_json json_of_run(const OptionWords& words, const GupsRun& run) {
    const GupsCounters& counters = run.counters;
    nlohmann::ordered_json json = json_of("run");
    json["kernel"] = "gups";
    // Of several processes it is not counted.
    const auto counted = [&words](auto count) {
        return parse_transport(words["--transport"]) == Transport::shared ? nlohmann::ordered_json(count) : nullptr;
    };
    json["variant"] = variant_of(words);
    json["protocol"] = nullptr;
    if (variant_of(words) == "exchanged") json["protocol"] = name_of(messaging_of(words));
    if (variant_of(words) == "shmem") json["protocol"] = name_of(Protocol::command_queue);
    json["transport"] = !words.has("--transport") ? "shared" : words["--transport"];
    add_authentication(parse_transport(words["--transport"]), !words.has("--no-authentication"), json);
    json["ranks"] = run.ranks;
    json["workers"] = run.workers;
    json["shape"] = format_shape(run.shape);
    json["bucket"] = run.bucket;
    json["seconds"] = run.seconds;
    json["cpu_seconds"] = run.cpu_seconds;
    json["involuntary_switches"] = counted(run.involuntary_switches);
    json["pinned"] = run.pinned;
    json["verified"] = run.verified;
    json["errors"] = run.verified ? nlohmann::ordered_json(run.errors) : nullptr;
    json["result"] = json_of_result("update_rate", "1/s", run.rate());
    json["counters"] = {{"updates", counters.updates},
                        {"packets", counters.packets},
                        {"updates_per_packet", counters.updates_per_packet},
                        {"hops_per_update", counters.hops_per_update},
                        {"send_blocking_factor", counters.send_blocking_factor},
                        {"cycles_per_update", counted(counters.cycles_per_update)},
                        {"held_max", counters.held_max},
                        {"packets_in_transit", counters.packets_in_transit},
                        {"packets_waiting_max", counters.packets_waiting_max}};
    if (counters.packets == 0) json["counters"]["updates_per_packet"] = nullptr;
    if (run.datagrams) {
        json["counters"]["datagrams"] = run.datagrams->sent;
        json["counters"]["datagrams_resent"] = run.datagrams->resent;
        json["counters"]["acknowledgements"] = run.datagrams->acknowledgements;
    }
    return json;
}

// The counters of the run's JSON; of a clocked run the middle of it has its own.
Table counters_of(const GupsRun& run, const nlohmann::ordered_json& counters) {
    nlohmann::ordered_json shown;
    for (const auto& [name, value] : counters.items()) {
        const bool of_wall =
            name == "send_blocking_factor" || name == "cycles_per_update" || name == "packets_waiting_max";
        if (!run.clocked || !of_wall) shown[name] = value;
        if (name != "updates") continue;
        shown["errors"] = run.verified ? nlohmann::ordered_json(run.errors) : "not verified";
        shown["seconds"] = run.seconds;
    }
    return counters_table(shown);
}

// Of updates that nobody asked for: as many as HPCC has, or what links bring in time.
RunLength length_of(const OptionWords& words, const GupsOptions& options) {
    constexpr std::uint64_t of_rank = 256;
    if (words.has("--updates") || options.transport == Transport::shared) return {};
    return {4 * options.table_words, of_rank * static_cast<std::uint64_t>(options.ranks)};
}

GupsOptions gups_of_length(GupsOptions options, std::uint64_t updates) {
    options.updates = updates;
    return options;
}

void add_length_remark(const OptionWords& words, const GupsOptions& options, Document& document) {
    const RunLength length = length_of(words, options);
    if (options.updates == 0 || options.updates >= length.usual) return;
    document.notes.push_back(fmt::format(
        "{} updates, because the {} of HPCC's rules would take long between these processes; --updates sets the number",
        options.updates, length.usual));
}

int report_run(const OptionWords& words, const GupsOptions& options, const GupsRun& run,
               const std::optional<ClockedMachine>& clocked, Output& output) {
    Document document{json_of_run(words, run)};
    const char* const worker = !words.has("--transport") || words["--transport"] == "shared"
                                   ? (run.pinned ? "pinned thread" : "unpinned thread")
                                   : "process";
    document.notes.push_back(fmt::format(
        "gups {}: {}{} on {}, {:.4g} GUPS", variant_of(words), counted(run.ranks, "rank"),
        run.shape.empty() ? "" : " as " + format_shape(run.shape), counted(run.workers, worker), run.rate() / 1e9));
    add_length_remark(words, options, document);
    document.tables.push_back(counters_of(run, document.json["counters"]));
    add_authentication_remark(document);
    if (clocked) {
        add_clocked(*clocked, run, document);
    } else {
        document.csv = counters_csv(document.json);
    }
    return emit(document, output, run.errors == 0);
}

GupsOptions launched_gups_options(OptionWords words, int processes) {
    const int ranks = launched_ranks(words, processes);
    if (!words.has("--ranks")) words["--ranks"] = std::to_string(ranks);
    GupsOptions options = checked(options_of(words));
    if (options.ranks == ranks) return options;
    throw InputError(
        fmt::format("{} processes have {} ranks, not {}: give --ranks, --shape and --ranks-per-process "
                    "that agree, or leave them out",
                    processes, ranks, options.ranks));
}

LaunchedKernel<GupsOptions, GupsRun> launched_gups(const OptionWords& words, Output& output) {
    return {[&words](int processes) { return launched_gups_options(words, processes); },
            run_gups_under_mpi,
            run_gups_at,
            [&words](const GupsOptions& options) { return length_of(words, options); },
            gups_of_length,
            [&words, &output](const GupsOptions& options, const GupsRun& run) {
                return report_run(words, options, run, std::nullopt, output);
            }};
}

int run_gups_as_asked(const OptionWords& words, Output& output) {
    if (const auto exit_code = run_launched(words, launched_gups(words, output), output)) return *exit_code;
    const std::optional<ClockedMachine> clocked = clocked_machine(words);
    GupsOptions options = clocked ? clocked_options(words, *clocked) : options_of(words);
    require_no_launcher();
    require_output(output, Draws::no);
    options = launched_gups(words, output).in_time(options, run_gups, launch_here().first_says);
    Progress progress(output.progress, "run gups");
    options.progress = [&progress](double fraction) { progress.at(fraction); };
    const GupsRun run = run_gups(options);
    if (!run.deadlock.empty()) {
        output.err << "narrows: " << run.deadlock << "\n";
        return 1;
    }
    return report_run(words, options, run, clocked, output);
}

}  // namespace

Kernel gups_kernel() {
    const Options variant = {
        Option{"--variant", "the code; default: routed; exchanged sends by a --protocol, local does not exchange"}
            .taking("naive|bucketed|routed|shmem|sequential|exchanged|local")};
    const Options own = {
        {"--first-update",
         fmt::format(
             "where in HPCC's stream the run starts; default {}; HPCC: 0, where few ranks are sent thousands of "
             "updates",
             random_updates),
         node_limit, 0},
        {"--receive-buffers", "routed: one a dimension (default), or 1, which deadlocks as in garg2006 Figure 3a",
         dimension_limit},
        {"--in-transit",
         "packets under way for each pair of ranks, of routed's and naive's small buckets as many updates; default 2",
         most_in_transit},
        {"--processor", "over TCP, UDP or MPI: of a slower processor, such as update=1us,send=50us,receive=50us"},
        {"--skip-verification", "do not apply the updates again to check", 0, 1, true}};
    return {"gups",
            "",
            together({variant, gups_options({"--shape", "--table", "--updates", "--bucket", "--pages"}), own,
                      kernel_options({"--protocol", "--domain"}), kernel_options(process_options()),
                      kernel_options({"--virtual-clock", "--machine"}), gups_options({"--mode"})}),
            run_gups_as_asked,
            {"run gups --variant routed --ranks 64 --shape 4x4x4 --table '1 MiB'",
             "run gups --variant bucketed --ranks 32 --table '1 MiB'", "run gups --variant sequential --table '1 MiB'",
             "run gups --virtual-clock -m bluegene-l --ranks 64 --updates 262144",
             "run gups --variant shmem --ranks 16 --table '1 MiB'",
             "run gups --protocol receiver-initiated --domain 8 --ranks 64 --table '1 MiB'"},
            false,
            false,
            validated_gups(),
            calibrated_gups()};
}

}  // namespace narrows
