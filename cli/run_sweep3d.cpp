#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "calibrate/kernels/sweep3d/mpi_sweep.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "calibrate/messaging/gateway_memory.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_kernels.hpp"
#include "cli/sweep3d_query.hpp"
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
    const Machine machine = load_machine(words.machine);
    // By the clock every rank has a processor of its own.
    clocked.query.processors = clocked.query.ranks_per_node = static_cast<int>(ranks_per_node(machine));
    clocked.wavefront = sweep_wavefront(machine, clocked.query);
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
                                         options.transport == Transport::shared ? "threads" : "processes",
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

/// A run by a machine's clock, with what was asked.
struct ClockedRun {
    ClockedSweep clocked;
    SweepOptions options;
    SweepRun run;

    double share() const { return communication_share(clocked.wavefront, seconds(run.iteration_seconds())); }
};

nlohmann::ordered_json json_of_clocked(const ClockedRun& one, const RunWords& words) {
    nlohmann::ordered_json json = json_of_run(one.options, one.run);
    json["machine"] = words.machine;
    json["virtual_clock"] = true;
    json["wall_seconds"] = one.run.wall_seconds;
    nlohmann::ordered_json& counters = json["counters"];
    counters["grind_time"] = one.options.virtual_clock->cell_angle;
    counters["communication_share"] = one.share();
    if (one.options.domain != 0) counters["gateway_utilisation"] = one.run.gateway_busy;
    return json;
}

std::vector<std::string> clocked_row(const ClockedRun& one, int ranks_of_node) {
    const auto percent = [](double part) { return fmt::format("{:.1f} %", 100 * part); };
    const bool gateways = one.options.domain != 0;
    return {fmt::format("{}", (one.run.ranks + ranks_of_node - 1) / ranks_of_node),
            std::to_string(one.run.ranks),
            format_shape({one.options.grid[0], one.options.grid[1]}),
            fmt::format("{:.4g}", one.run.iteration_seconds() * 1e3),
            fmt::format("{:.4g}", wavefront_time(one.clocked.wavefront).si() * 1e3),
            percent(one.share()),
            percent(one.run.rank_busy),
            gateways ? percent(one.run.gateway_busy) : "-",
            gateways ? percent(one.run.busiest_gateway) : "-"};
}

Plot clocked_plot(const std::vector<ClockedRun>& runs, const RunWords& words) {
    Plot plot{"Sweep3D on " + words.machine + ", by its clock", "ranks", "ms", {}};
    Series clock{"clock", {}, {}, true};
    Series recurrence{"recurrence", {}, {}, false};
    for (const ClockedRun& one : runs) {
        clock.x.push_back(one.run.ranks);
        clock.y.push_back(one.run.iteration_seconds() * 1e3);
        recurrence.x.push_back(one.run.ranks);
        recurrence.y.push_back(wavefront_time(one.clocked.wavefront).si() * 1e3);
    }
    plot.series = {clock, recurrence};
    return plot;
}

Document clocked_document(const std::vector<ClockedRun>& runs, const RunWords& words) {
    const ClockedRun& first = runs.front();
    Document document;
    std::uint64_t messages = 0;
    double wall = 0;
    Table table{
        "",
        {"nodes", "ranks", "grid", "ms", "recurrence", "communication", "ranks busy", "gateways busy", "busiest"},
        {}};
    for (const ClockedRun& one : runs) {
        table.rows.push_back(clocked_row(one, one.clocked.query.processors));
        messages += one.run.messages;
        wall += one.run.wall_seconds;
    }
    if (runs.size() == 1) {
        const int domain = first.options.domain;
        document.json = json_of_clocked(first, words);
        document.notes.push_back(fmt::format(
            "sweep3d on {}, by its clock: {} ranks as {}{}", words.machine, first.run.ranks,
            format_shape({first.options.grid[0], first.options.grid[1]}),
            domain == 0 ? std::string()
                        : fmt::format(" behind {} gateways", GatewayShape{first.run.ranks, domain}.gateways())));
    } else {
        document.json = json_of("run");
        document.json["kernel"] = "sweep3d";
        document.json["points"] = nlohmann::ordered_json::array();
        for (const ClockedRun& one : runs) document.json["points"].push_back(json_of_clocked(one, words));
        document.notes.push_back(fmt::format("sweep3d on {}, by its clock", words.machine));
        document.plot = clocked_plot(runs, words);
    }
    document.tables.push_back(std::move(table));
    document.remarks.push_back(
        fmt::format("{} messages of all iterations; {:.3g} s on this machine, {:.0f} ns a message", messages, wall,
                    1e9 * wall / std::max(1.0, static_cast<double>(messages))));
    if (runs.size() == 1 && !first.options.skip_compute) document.tables.push_back(iterations_table(first.run));
    return document;
}

bool is_list_of_sizes(const std::string& text) {
    return text.find(',') != std::string::npos || text.find("..") != std::string::npos;
}

// The words of each run: one for each size where the clock's ranks or nodes are a list.
std::vector<RunWords> words_of_runs(const RunWords& words) {
    if (!words.nodes.empty()) {
        if (!words.virtual_clock) {
            throw InputError("--nodes: only a machine has nodes: add --virtual-clock -m MACHINE, or give --ranks");
        }
        if (!words.ranks.empty() || !words.grid.empty()) {
            throw InputError("--nodes: all of their ranks run: leave --ranks and --grid out");
        }
    }
    const bool list = words.virtual_clock && is_list_of_sizes(words.ranks);
    if (words.nodes.empty() && !list) return {words};
    if (words.machine.empty()) throw InputError("--virtual-clock: name the machine whose time it is with -m");
    if (list && !words.grid.empty()) {
        throw InputError(fmt::format("--ranks {}: one grid has one number of ranks: leave --grid out", words.ranks));
    }
    const std::int64_t each = list ? 1 : ranks_per_node(load_machine(words.machine));
    std::vector<RunWords> all;
    for (const std::int64_t size : parse_sizes(list ? words.ranks : words.nodes, list ? "--ranks" : "--nodes")) {
        all.push_back(words);
        all.back().ranks = std::to_string(size * each);
        all.back().nodes.clear();
    }
    return all;
}

// The exit code, and on `err` what is wrong.
int checked_end(std::uint64_t errors, std::size_t iterations, Output& output) {
    if (errors == 0) return 0;
    output.err << fmt::format("narrows: {} of {} iterations lost or made particles\n", errors, iterations);
    return 1;
}

// The options of a job of so many ranks.
SweepOptions launched_options(RunWords words, int launched) {
    if (!words.ranks.empty() && words.ranks != std::to_string(launched)) {
        throw InputError(fmt::format("--ranks {}: the launcher started {}: leave --ranks out", words.ranks, launched));
    }
    if (words.virtual_clock || !words.nodes.empty() || !words.machine.empty()) {
        throw InputError("--transport mpi: a machine's clock runs in one process: leave --transport out");
    }
    if (words.protocol == name_of(Protocol::command_queue)) {
        throw InputError("the command queue has puts, but no send and receive: choose another --protocol");
    }
    if (words.grid.empty()) words.ranks = std::to_string(launched);
    const SweepOptions options = checked(sweep_options(words));
    if (options.grid[0] * options.grid[1] != launched) {
        throw InputError(
            fmt::format("--grid {}: the launcher started {} ranks: give a grid of as many", words.grid, launched));
    }
    return options;
}

// This rank's part under a launcher. Rank 0 alone reports, and says what is wrong with the options of any.
int run_launched_sweep(const RunWords& words, Output& output) {
    const MpiJob job;
    SweepOptions options;
    try {
        job.agree([&] { options = launched_options(words, job.ranks()); });
    } catch (const InputError&) {
        if (job.rank() == 0) throw;
        return 0;
    }
    const SweepRun run = run_sweep3d_under_mpi(
        job, options, [&output](const std::string& what) { output.err << "narrows: " << what << std::endl; });
    if (job.rank() != 0) return 0;
    emit(document_of(options, run), output);
    return checked_end(run.errors(), run.iterations.size(), output);
}

}  // namespace

int run_sweep3d_kernel(const RunWords& words, Output& output) {
    if (words.transport == "mpi") return run_launched_sweep(words, output);
    struct Asked {
        std::optional<ClockedSweep> clocked;
        SweepOptions options;
    };
    std::vector<Asked> all;  // all are checked before the first one runs
    for (const RunWords& one : words_of_runs(words)) {
        Asked asked{{}, sweep_options(one)};
        asked.clocked = clocked_sweep(one, asked.options);
        use_clock(asked.clocked, asked.options);
        asked.options = checked(asked.options);
        all.push_back(std::move(asked));
    }
    Progress progress(output.progress, "run sweep3d");
    std::vector<ClockedRun> clocked;
    std::uint64_t errors = 0;
    std::size_t iterations = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        SweepOptions& options = all[i].options;
        options.progress = [&progress, i, count = static_cast<double>(all.size())](double fraction) {
            progress.at((static_cast<double>(i) + fraction) / count);
        };
        const SweepRun run = run_sweep3d(options);
        errors += run.errors();
        iterations += run.iterations.size();
        if (all[i].clocked) {
            clocked.push_back({*all[i].clocked, options, run});
        } else {
            emit(document_of(options, run), output);
        }
    }
    if (!clocked.empty()) emit(clocked_document(clocked, words), output);
    return checked_end(errors, iterations, output);
}

}  // namespace narrows
