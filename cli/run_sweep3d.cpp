#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "calibrate/messaging/gateway_memory.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_kernels.hpp"
#include "cli/sweep_clock.hpp"
#include "cli/sweep_deck.hpp"
#include "data/library.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

SweepOptions sweep_options(const RunWords& words) {
    const SweepDeck deck = sweep_deck(sweep_words(words));
    SweepOptions options;
    options.problem.cells = deck.cells;
    options.problem.angles = deck.angles;
    options.problem.moments = deck.moments;
    options.grid = deck.grid;
    options.planes = deck.planes;
    options.angle_block = deck.angle_block;
    if (!words.iterations.empty()) {
        options.problem.iterations = static_cast<int>(parse_count(words.iterations, "--iterations", 0, most_of_a_deck));
    }
    if (!words.fixups_after.empty()) {
        options.problem.fixups_after =
            static_cast<int>(parse_count(words.fixups_after, "--fixups-after", 0, most_of_a_deck));
    }
    if (!words.protocol.empty()) {
        options.protocol = naming("--protocol", [&] { return parse_protocol(words.protocol); });
    }
    options.domain = small_count(words.domain, "--domain", most_of_a_deck);
    const bool synchronous = options.domain != 0 || words.virtual_clock;
    if (synchronous && words.protocol.empty()) options.protocol = Protocol::receiver_initiated;
    options.transport = parse_transport(words.transport);
    options.workers = small_count(words.workers, "--workers", 1024);
    if (!words.vectors.empty()) options.vectors = naming("--vectors", [&] { return parse_vectors(words.vectors); });
    options.skip_compute = words.skip_compute;
    return options;
}

/// A run's deck on the machine whose time a virtual clock tells.
struct ClockedSweep {
    SweepQuery query;
    Wavefront wavefront;
};

// Nothing without a virtual clock.
std::optional<ClockedSweep> clocked_sweep(const RunWords& words, const SweepOptions& options) {
    if (!words.virtual_clock) {
        if (!words.machine.empty()) {
            throw InputError("--machine: only a virtual clock takes its time from a machine: add --virtual-clock");
        }
        return std::nullopt;
    }
    if (!words.domain.empty()) {
        throw InputError("--domain: with --virtual-clock the machine says which ranks share a gateway: leave it out");
    }
    if (words.machine.empty()) throw InputError("--virtual-clock: name the machine whose time it is with -m");
    const SweepProblem& problem = options.problem;
    const int angle_block = options.angle_block == 0 ? problem.angles : options.angle_block;
    ClockedSweep clocked{
        {problem.cells, options.grid, problem.angles, options.planes, angle_block, problem.moments, ""}, {}};
    check(clocked.query);
    clocked.wavefront = sweep_wavefront(load_machine(words.machine), clocked.query);
    return clocked;
}

void use_clock(const std::optional<ClockedSweep>& clocked, SweepOptions& options) {
    if (!clocked) return;
    options.virtual_clock = sweep_clock(clocked->wavefront, clocked->query);
    options.domain = clocked->wavefront.gateways.ranks;
    // Ranks that all share a place need no gateways.
    if (clocked->query.ranks() <= options.virtual_clock->costs.places.back().ranks) options.domain = 0;
}

constexpr std::array<const char*, 6> faces = {"leakage_i_low",  "leakage_i_high", "leakage_j_low",
                                              "leakage_j_high", "leakage_k_low",  "leakage_k_high"};

nlohmann::ordered_json counters_of(const SweepOptions& options, const SweepRun& run) {
    const SweepIteration& last = run.iterations.back();
    nlohmann::ordered_json counters;
    const auto computed = [&](const char* name, auto value) {
        counters[name] = options.skip_compute ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
    };
    computed("error", last.error);
    computed("fixed", last.fixed);
    computed("source", run.balance.source);
    computed("absorption", run.balance.absorption);
    for (std::size_t face = 0; face < faces.size(); ++face) computed(faces[face], run.balance.leakage[face]);
    computed("grind_time", run.grind_time());
    counters["messages"] = run.messages;
    counters["message_bytes"] = run.bytes;
    // Only a clock that is not the wall's can tell what messages cost.
    counters["communication_share"] = nullptr;
    counters["gateway_utilisation"] = nullptr;
    return counters;
}

nlohmann::ordered_json json_of_run(const SweepOptions& options, const SweepRun& run) {
    nlohmann::ordered_json json = json_of("run");
    const auto& cells = options.problem.cells;
    const bool counted = options.transport == Transport::shared;  // of this process only
    json["kernel"] = "sweep3d";
    json["variant"] = nullptr;
    json["protocol"] = name_of(options.protocol);
    json["transport"] = name_of(options.transport);
    json["ranks"] = run.ranks;
    json["workers"] = run.workers;
    json["shape"] = format_shape({options.grid[0], options.grid[1]});
    json["cells"] = format_shape({cells[0], cells[1], cells[2]});
    json["vectors"] = name_of(run.vectors);
    json["seconds"] = run.seconds;
    json["cpu_seconds"] = counted ? nlohmann::ordered_json(run.cpu_seconds) : nullptr;
    json["involuntary_switches"] = counted ? nlohmann::ordered_json(run.involuntary_switches) : nullptr;
    json["pinned"] = run.pinned;
    json["verified"] = !options.skip_compute;
    json["errors"] = run.errors();
    json["result"] = {{"quantity", "iteration_time"},
                      {"unit", "s"},
                      {"value", run.iteration_seconds()},
                      {"low", nullptr},
                      {"high", nullptr}};
    json["counters"] = counters_of(options, run);
    json["iterations"] = nlohmann::ordered_json::array();
    for (const SweepIteration& one : run.iterations) {
        if (!options.skip_compute) json["iterations"].push_back({{"error", one.error}, {"fixed", one.fixed}});
    }
    return json;
}

Table iterations_table(const SweepRun& run) {
    Table table{"", {"iteration", "error", "fixed"}, {}};
    for (std::size_t i = 0; i < run.iterations.size(); ++i) {
        table.rows.push_back({std::to_string(i + 1), fmt::format("{:.12g}", run.iterations[i].error),
                              std::to_string(run.iterations[i].fixed)});
    }
    return table;
}

Table balance_table(const SweepRun& run) {
    Table table{"", {"counter", "value"}, {}};
    const auto row = [&](const char* name, double value) {
        table.rows.push_back({name, fmt::format("{:.12g}", value)});
    };
    row("source", run.balance.source);
    row("absorption", run.balance.absorption);
    for (std::size_t face = 0; face < faces.size(); ++face) row(faces[face], run.balance.leakage[face]);
    return table;
}

Document document_of(const SweepOptions& options, const SweepRun& run) {
    Document document;
    document.json = json_of_run(options, run);
    const auto& cells = options.problem.cells;
    document.notes.push_back(fmt::format("sweep3d of {} cells: {} ranks as {} on {} {}, {} over {}",
                                         format_shape({cells[0], cells[1], cells[2]}), run.ranks,
                                         format_shape({options.grid[0], options.grid[1]}), run.workers,
                                         options.transport == Transport::tcp ? "processes" : "threads",
                                         name_of(options.protocol), name_of(options.transport)));
    document.notes.push_back(
        fmt::format("{:.4g} s an iteration, {} messages of {:.4g} B on average", run.iteration_seconds(), run.messages,
                    run.messages == 0 ? 0 : static_cast<double>(run.bytes) / static_cast<double>(run.messages)));
    if (options.skip_compute) return document;
    document.notes.push_back(
        fmt::format("{:.4g} ns of a core a cell-angle, {} vectors", run.grind_time() * 1e9, name_of(run.vectors)));
    document.tables.push_back(iterations_table(run));
    document.tables.push_back(balance_table(run));
    return document;
}

Document clocked_document(const ClockedSweep& clocked, const RunWords& words, const SweepOptions& options,
                          const SweepRun& run) {
    const double share = communication_share(clocked.wavefront, seconds(run.iteration_seconds()));
    Document document;
    document.json = json_of_run(options, run);
    document.json["machine"] = words.machine;
    document.json["virtual_clock"] = true;
    document.json["wall_seconds"] = run.wall_seconds;
    nlohmann::ordered_json& counters = document.json["counters"];
    counters["grind_time"] = options.virtual_clock->cell_angle;
    counters["communication_share"] = share;
    if (options.domain != 0) counters["gateway_utilisation"] = run.gateway_busy;
    document.notes.push_back(fmt::format(
        "sweep3d on {}, by its clock: {} ranks as {}{}", words.machine, run.ranks,
        format_shape({options.grid[0], options.grid[1]}),
        options.domain == 0 ? std::string()
                            : fmt::format(" behind {} gateways", GatewayShape{run.ranks, options.domain}.gateways())));
    Table table{"", {"ranks", "grid", "ms", "communication", "ranks busy", "gateways busy", "busiest"}, {}};
    const auto percent = [](double part) { return fmt::format("{:.1f} %", 100 * part); };
    const bool gateways = options.domain != 0;
    table.rows.push_back({std::to_string(run.ranks), format_shape({options.grid[0], options.grid[1]}),
                          fmt::format("{:.4g}", run.iteration_seconds() * 1e3), percent(share), percent(run.rank_busy),
                          gateways ? percent(run.gateway_busy) : "-",
                          gateways ? percent(run.busiest_gateway) : "-"});
    document.tables.push_back(std::move(table));
    document.remarks.push_back(
        fmt::format("{} messages of all iterations; {:.3g} s on this machine, {:.0f} ns a message", run.messages,
                    run.wall_seconds, 1e9 * run.wall_seconds / std::max(1.0, static_cast<double>(run.messages))));
    if (!options.skip_compute) document.tables.push_back(iterations_table(run));
    return document;
}

}  // namespace

int run_sweep3d_kernel(const RunWords& words, Output& output) {
    SweepOptions options = sweep_options(words);
    const std::optional<ClockedSweep> clocked = clocked_sweep(words, options);
    use_clock(clocked, options);
    options = checked(options);
    Progress progress(output.progress, "run sweep3d");
    options.progress = [&progress](double fraction) { progress.at(fraction); };
    const SweepRun run = run_sweep3d(options);
    emit(clocked ? clocked_document(*clocked, words, options, run) : document_of(options, run), output);
    if (run.errors() == 0) return 0;
    output.err << fmt::format("narrows: {} of {} iterations lost or made particles\n", run.errors(),
                              run.iterations.size());
    return 1;
}

}  // namespace narrows
