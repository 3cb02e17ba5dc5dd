#include <fmt/format.h>

#include <cmath>

#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/gups/mpi_gups.hpp"
#include "calibrate/ranks/cores.hpp"
#include "cli/authentication_report.hpp"
#include "cli/counters_csv.hpp"
#include "cli/gups_clock.hpp"
#include "cli/gups_options.hpp"
#include "cli/launched_run.hpp"
#include "cli/launcher.hpp"
#include "cli/processor_costs.hpp"
#include "cli/progress.hpp"
#include "cli/run_kernels.hpp"
#include "model/gups/bucket_size.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::string variant_of(const RunWords& words) {
    if (!words.variant.empty()) return words.variant;
    return words.protocol.empty() && words.domain.empty() ? "routed" : "exchanged";
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

std::uint64_t table_words(const RunWords& words, std::int64_t ranks) {
    const Data table =
        words.table.empty() ? default_table(ranks) : naming("--table", [&] { return parse_data(words.table); });
    if (table < bytes(8)) throw InputError(fmt::format("--table {}: a table has at least a word of 8 B", words.table));
    return static_cast<std::uint64_t>(table / bytes(8));
}

Protocol messaging_of(const RunWords& words) {
    if (words.protocol.empty()) return words.domain.empty() ? Protocol::active_message : Protocol::receiver_initiated;
    return naming("--protocol", [&] { return parse_protocol(words.protocol); });
}

// Messages are sent and received by a protocol, in domains behind gateways or not.
void choose_messaging(const RunWords& words, GupsOptions& options) {
    const bool by_protocol = options.variant == GupsVariant::exchanged;
    const bool sends = options.variant != GupsVariant::sequential && options.variant != GupsVariant::local;
    if (!words.in_transit.empty() && !sends) {
        throw InputError(fmt::format("--in-transit: the {} variant sends no packets: leave it out", variant_of(words)));
    }
    if (!words.in_transit.empty() && (by_protocol || options.variant == GupsVariant::shmem)) {
        throw InputError(fmt::format("--in-transit: the {} variant sends by a protocol of its own: leave it out",
                                     variant_of(words)));
    }
    if (!by_protocol) {
        if (words.protocol.empty() && words.domain.empty()) return;
        if (options.variant == GupsVariant::shmem) {
            throw InputError("--variant shmem puts by the command queue: leave --protocol and --domain out");
        }
        throw InputError(
            fmt::format("--variant {} sends by itself: leave --protocol and --domain out", variant_of(words)));
    }
    options.protocol = messaging_of(words);
    options.domain = small_count(words.domain, "--domain", 1 << 20);
    if (options.domain != 0 && options.protocol != Protocol::receiver_initiated) {
        throw InputError("--domain: gateways forward receiver-initiated messages only: leave --protocol out");
    }
}

PageSize page_size(const RunWords& words) {
    if (words.pages == "4KiB" || words.pages == "4 KiB") return PageSize::small;
    if (!words.pages.empty() && words.pages != "2MiB" && words.pages != "2 MiB") {
        throw InputError(fmt::format("--pages {}: pages are '2MiB' or '4KiB'", words.pages));
    }
    return PageSize::large;
}

void choose_work(const RunWords& words, std::int64_t ranks, GupsOptions& options) {
    options.table_words = table_words(words, ranks);
    if (!words.updates.empty()) {
        options.updates = static_cast<std::uint64_t>(parse_count(words.updates, "--updates", 1, node_limit));
    }
    if (!words.first_update.empty()) {
        options.first_update =
            static_cast<std::uint64_t>(parse_count(words.first_update, "--first-update", 0, node_limit));
    }
    options.pages = page_size(words);
    options.verify = !words.skip_verification;
}

GupsOptions clocked_options(const RunWords& words, const ClockedMachine& clocked) {
    GupsOptions options;
    options.clock = clocked.clock;
    options.shape = clocked.placement.shape;
    options.ranks = static_cast<int>(clocked.placement.ranks());
    options.bucket = clocked.bucket;
    choose_work(words, options.ranks, options);
    if (words.updates.empty()) {
        // An update takes some 10 us by the clock: minutes, and still hundreds for each rank.
        constexpr std::uint64_t most = 40 << 20, least_of_rank = 640;
        const std::uint64_t all = 4 * options.table_words;
        options.updates = std::min(all, std::max(most, least_of_rank * static_cast<std::uint64_t>(options.ranks)));
    }
    return options;
}

GupsOptions options_of(const RunWords& words) {
    constexpr std::int64_t most_ranks = 1 << 24;
    GupsOptions options;
    options.variant = kernel_variant(variant_of(words));
    options.ranks = small_count(words.ranks, "--ranks", most_ranks);
    options.transport = parse_transport(words.transport);
    options.authenticated = authenticated(words);
    options.ranks_per_process = ranks_per_process(words);
    options.processor = parse_processor_costs(words.processor);
    if (!words.shape.empty()) options.shape = naming("--shape", [&] { return parse_shape(words.shape); });
    const bool shaped = options.variant == GupsVariant::routed || options.variant == GupsVariant::exchanged;
    const bool exchanges = options.variant != GupsVariant::sequential && options.variant != GupsVariant::local;
    if (exchanges && options.ranks == 0 && options.shape.empty()) options.ranks = std::max(2, Cores().count());
    if (shaped && options.shape.empty()) {
        options.shape = default_rank_shape(options.ranks);
    }
    const std::int64_t ranks = options.shape.empty() ? std::max(1, options.ranks) : shape_nodes(options.shape);
    choose_work(words, ranks, options);
    options.bucket = small_count(words.bucket, "--bucket", held_updates);
    options.receive_buffers = small_count(words.receive_buffers, "--receive-buffers", dimension_limit);
    if (!words.in_transit.empty()) options.in_transit = small_count(words.in_transit, "--in-transit", held_updates);
    options.workers = small_count(words.workers, "--workers", 1024);
    choose_messaging(words, options);
    return options;
}

nlohmann::ordered_json json_of_run(const RunWords& words, const GupsRun& run) {
    const GupsCounters& counters = run.counters;
    nlohmann::ordered_json json = json_of("run");
    json["kernel"] = "gups";
    json["variant"] = variant_of(words);
    json["protocol"] = nullptr;
    if (variant_of(words) == "exchanged") json["protocol"] = name_of(messaging_of(words));
    if (variant_of(words) == "shmem") json["protocol"] = name_of(Protocol::command_queue);
    json["transport"] = words.transport.empty() ? "shared" : words.transport;
    add_authentication(parse_transport(words.transport), !words.no_authentication, json);
    json["ranks"] = run.ranks;
    json["workers"] = run.workers;
    json["shape"] = format_shape(run.shape);
    json["bucket"] = run.bucket;
    json["seconds"] = run.seconds;
    json["cpu_seconds"] = run.cpu_seconds;
    json["involuntary_switches"] = run.involuntary_switches;
    json["pinned"] = run.pinned;
    json["verified"] = run.verified;
    json["errors"] = run.errors;
    json["result"] = {
        {"quantity", "update_rate"}, {"unit", "1/s"}, {"value", run.rate()}, {"low", nullptr}, {"high", nullptr}};
    json["counters"] = {{"updates", counters.updates},
                        {"packets", counters.packets},
                        {"updates_per_packet", counters.updates_per_packet},
                        {"hops_per_update", counters.hops_per_update},
                        {"send_blocking_factor", counters.send_blocking_factor},
                        {"cycles_per_update", counters.cycles_per_update},
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

Table counters_table(const GupsRun& run) {
    const GupsCounters& counters = run.counters;
    Table table{"", {"counter", "value"}, {}};
    const auto row = [&](const char* name, const std::string& value) { table.rows.push_back({name, value}); };
    row("updates", std::to_string(counters.updates));
    row("errors", run.verified ? std::to_string(run.errors) : "not verified");
    row("seconds", fmt::format("{:.4g}", run.seconds));
    row("packets", std::to_string(counters.packets));
    if (counters.packets > 0) row("updates_per_packet", fmt::format("{:.4g}", counters.updates_per_packet));
    row("hops_per_update", fmt::format("{:.4g}", counters.hops_per_update));
    if (!run.clocked) {  // else the middle of the run has its own
        row("send_blocking_factor", fmt::format("{:.4g}", counters.send_blocking_factor));
        row("cycles_per_update", fmt::format("{:.4g}", counters.cycles_per_update));
    }
    row("held_max", std::to_string(counters.held_max));
    row("packets_in_transit", std::to_string(counters.packets_in_transit));
    if (!run.clocked) row("packets_waiting_max", std::to_string(counters.packets_waiting_max));
    if (run.datagrams) {
        row("datagrams", std::to_string(run.datagrams->sent));
        row("datagrams_resent", std::to_string(run.datagrams->resent));
        row("acknowledgements", std::to_string(run.datagrams->acknowledgements));
    }
    return table;
}

// Of updates that nobody asked for: as many as HPCC has, or what links bring in time.
RunLength length_of(const RunWords& words, const GupsOptions& options) {
    constexpr std::uint64_t of_rank = 256;
    if (!words.updates.empty() || options.transport == Transport::shared) return {};
    return {4 * options.table_words, of_rank * static_cast<std::uint64_t>(options.ranks)};
}

GupsOptions gups_of_length(GupsOptions options, std::uint64_t updates) {
    options.updates = updates;
    return options;
}

void add_length_remark(const RunWords& words, const GupsOptions& options, Document& document) {
    const RunLength length = length_of(words, options);
    if (options.updates == 0 || options.updates >= length.usual) return;
    document.notes.push_back(fmt::format(
        "{} updates, because the {} of HPCC's rules would take long between these processes; --updates sets the number",
        options.updates, length.usual));
}

int report_run(const RunWords& words, const GupsOptions& options, const GupsRun& run,
               const std::optional<ClockedMachine>& clocked, Output& output) {
    Document document;
    document.json = json_of_run(words, run);
    const std::string workers = words.transport.empty() || words.transport == "shared"
                                    ? (run.pinned ? "pinned threads" : "unpinned threads")
                                    : "processes";
    document.notes.push_back(fmt::format("gups {}: {} ranks{} on {} {}, {:.4g} GUPS", variant_of(words), run.ranks,
                                         run.shape.empty() ? "" : " as " + format_shape(run.shape), run.workers,
                                         workers, run.rate() / 1e9));
    add_length_remark(words, options, document);
    document.tables.push_back(counters_table(run));
    add_authentication_remark(document);
    if (clocked) {
        add_clocked(*clocked, run, document);
    } else {
        document.csv = counters_csv(document.json);
    }
    emit(document, output);
    return run.errors == 0 ? 0 : 1;
}

// What all processes must have in common.
Launch::Numbers gups_plan(const GupsOptions& options) {
    Launch::Numbers plan = {static_cast<std::size_t>(options.variant), static_cast<std::size_t>(options.protocol),
                            options.table_words, options.updates, options.first_update};
    for (const int number : {options.ranks, options.ranks_per_process, options.bucket, options.in_transit}) {
        plan.push_back(static_cast<std::size_t>(number));
    }
    plan.insert(plan.end(), options.shape.begin(), options.shape.end());
    for (const double cost : {options.processor.update, options.processor.send, options.processor.receive}) {
        plan.push_back(static_cast<std::size_t>(std::llround(1e12 * cost)));
    }
    return plan;
}

GupsOptions launched_gups_options(RunWords words, int processes) {
    const int ranks = processes * ranks_per_process(words);
    if (words.ranks.empty()) words.ranks = std::to_string(ranks);
    GupsOptions options = checked(options_of(words));
    if (options.ranks == ranks) return options;
    throw InputError(
        fmt::format("{} processes have {} ranks, not {}: give --ranks, --shape and --ranks-per-process "
                    "that agree, or leave them out",
                    processes, ranks, options.ranks));
}

LaunchedKernel<GupsOptions, GupsRun> launched_gups(const RunWords& words, Output& output) {
    return {[&words](int processes) { return launched_gups_options(words, processes); },
            gups_plan,
            run_gups_under_mpi,
            run_gups_at,
            [&words](const GupsOptions& options) { return length_of(words, options); },
            gups_of_length,
            [&words, &output](const GupsOptions& options, const GupsRun& run) {
                return report_run(words, options, run, std::nullopt, output);
            }};
}

// Where this process starts the others: the same options, but of a length that is over in time.
GupsOptions in_time(const RunWords& words, const GupsOptions& options) {
    const RunLength length = length_of(words, options);
    if (length.usual == 0) return options;
    const auto seconds = [&options](std::uint64_t updates) {
        return run_gups(gups_of_length(options, updates)).seconds;
    };
    return gups_of_length(options, length_in_time(length, seconds, launch_here().first_says));
}

}  // namespace

int run_gups_kernel(const RunWords& words, Output& output) {
    if (const auto exit_code = run_launched(words, launched_gups(words, output), output)) return *exit_code;
    const std::optional<ClockedMachine> clocked = clocked_machine(words);
    GupsOptions options = clocked ? clocked_options(words, *clocked) : options_of(words);
    require_no_launcher();
    require_output(output, Draws::no);
    options = in_time(words, options);
    Progress progress(output.progress, "run gups");
    options.progress = [&progress](double fraction) { progress.at(fraction); };
    const GupsRun run = run_gups(options);
    if (!run.deadlock.empty()) {
        output.err << "narrows: " << run.deadlock << "\n";
        return 1;
    }
    return report_run(words, options, run, clocked, output);
}

}  // namespace narrows
