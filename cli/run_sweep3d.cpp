#include <fmt/format.h>

#include "calibrate/kernels/sweep3d/machine_clock.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "cli/kernel.hpp"
#include "cli/launched_run.hpp"
#include "cli/launcher.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/sweep3d_query.hpp"
#include "cli/sweep_clock_report.hpp"
#include "cli/sweep_deck.hpp"
#include "cli/sweep_report.hpp"
#include "cli/value_list.hpp"
#include "data/library.hpp"

namespace narrows {
namespace {

SweepOptions sweep_options(const OptionWords& words) {
    const SweepQuery deck = sweep_deck(words);
    SweepOptions options;
    options.problem.cells = deck.cells;
    options.problem.angles = deck.angles;
    options.problem.moments = deck.moments;
    options.grid = deck.grid;
    options.planes = deck.planes;
    options.angle_block = deck.angle_block;
    if (words.has("--iterations")) {
        options.problem.iterations = words.count("--iterations");
    }
    if (words.has("--fixups-after")) {
        options.problem.fixups_after = words.count("--fixups-after");
    }
    options.domain = words.count("--domain");
    options.transport = parse_transport(words["--transport"]);
    // In memory the messages that calibrate measures and predict has, and the fastest ones.
    options.protocol =
        protocol_or(words, options.transport == Transport::shared ? Protocol::receiver_initiated : options.protocol);
    options.authenticated = authenticated(words);
    options.ranks_per_process = ranks_per_process(words);
    options.workers = words.count("--workers");
    if (words.has("--vectors"))
        options.vectors = with_option_context("--vectors", [&] { return parse_vectors(words["--vectors"]); });
    options.skip_compute = words.has("--skip-compute");
    const bool computing = words.has("--vectors") || words.has("--fixups-after");
    if (options.skip_compute && computing) {
        throw InputError(fmt::format("{}: with --skip-compute nothing is computed: leave it out",
                                     !words.has("--vectors") ? "--fixups-after" : "--vectors"));
    }
    return options;
}

// Nothing without a virtual clock.
std::optional<ClockedSweep> clocked_sweep(const OptionWords& words) {
    if (!has_virtual_clock(words)) return std::nullopt;
    if (words.has("--domain")) {
        throw InputError("--domain: with --virtual-clock the machine says which ranks share a gateway: leave it out");
    }
    ClockedSweep clocked{"", sweep_deck(words), {}};
    check(clocked.query);
    const Machine machine = load_machine(words["--machine"]);
    clocked.machine = machine.id;
    // By the clock every rank has a processor of its own.
    clocked.query.processors = clocked.query.ranks_per_node = static_cast<int>(ranks_per_node(machine));
    clocked.wavefront = sweep_wavefront(machine, clocked.query);
    return clocked;
}

void use_clock(const std::optional<ClockedSweep>& clocked, SweepOptions& options) {
    if (!clocked) return;
    options.virtual_clock =
        with_option_context("--virtual-clock", [&] { return sweep_clock(clocked->wavefront, clocked->query); });
    options.domain = clocked->wavefront.gateways.ranks;
    // Ranks that all share a place need no gateways.
    if (clocked->query.ranks() <= options.virtual_clock->costs.places.back().ranks) options.domain = 0;
}

// The words of each run: one for each size where the clock's ranks or nodes are a list.
std::vector<OptionWords> words_of_runs(const OptionWords& words) {
    if (words.has("--nodes")) {
        if (!words.has("--virtual-clock")) {
            throw InputError("--nodes: only a machine has nodes: add --virtual-clock -m MACHINE, or give --ranks");
        }
        if (words.has("--ranks") || words.has("--grid")) {
            throw InputError("--nodes: all of their ranks run: leave --ranks and --grid out");
        }
    }
    const bool list = has_virtual_clock(words) && is_varied(words["--ranks"]);
    if (!words.has("--nodes") && !list) return {words};
    if (list && words.has("--grid")) {
        throw InputError(
            fmt::format("--ranks {}: one grid has one number of ranks: leave --grid out", words["--ranks"]));
    }
    const std::int64_t each = list ? 1 : ranks_per_node(load_machine(words["--machine"]));
    std::vector<OptionWords> all;
    for (const std::int64_t size :
         parse_sizes(list ? words["--ranks"] : words["--nodes"], list ? "--ranks" : "--nodes")) {
        all.push_back(words);
        all.back()["--ranks"] = std::to_string(size * each);
        all.back()["--nodes"].clear();
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
SweepOptions launched_options(OptionWords words, int launched) {
    if (words.has("--ranks") && words["--ranks"] != std::to_string(launched)) {
        throw InputError(
            fmt::format("--ranks {}: the launcher started {}: leave --ranks out", words["--ranks"], launched));
    }
    if (words.has("--virtual-clock") || words.has("--nodes") || words.has("--machine")) {
        throw InputError(fmt::format("--transport {}: a machine's clock runs in one process: leave --transport out",
                                     words["--transport"]));
    }
    if (!words.has("--grid")) words["--ranks"] = std::to_string(launched);
    SweepOptions options = checked(sweep_options(words));
    if (options.grid[0] * options.grid[1] != launched) {
        throw InputError(
            fmt::format("--grid {}: the launcher started {} ranks: give a grid of as many", words["--grid"], launched));
    }
    return options;
}

// Of iterations that nobody asked for: as many as the benchmark has, or what links bring in time.
RunLength length_of(const OptionWords& words, const SweepOptions& options) {
    const bool asked = words.has("--iterations") || words.has("--fixups-after");
    if (asked || options.transport == Transport::shared) return {};
    return {static_cast<std::uint64_t>(SweepProblem().iterations), 1};
}

SweepOptions sweep_of_length(SweepOptions options, std::uint64_t iterations) {
    options.problem.iterations = static_cast<int>(iterations);
    return options;
}

void emit_sweep(const OptionWords& words, const SweepOptions& options, const SweepRun& run, Output& output) {
    Document document = sweep_document(options, run);
    const std::size_t usual = length_of(words, options).usual;
    if (run.iterations.size() < usual) {
        document.notes.push_back(fmt::format(
            "{} iterations, because the usual {} would take long between these processes; --iterations sets the number",
            run.iterations.size(), usual));
    }
    emit(document, output);
}

LaunchedKernel<SweepOptions, SweepRun> launched_sweep(const OptionWords& words, Output& output) {
    return {[&words](int processes) { return launched_options(words, launched_ranks(words, processes)); },
            run_sweep3d_under_mpi,
            run_sweep3d_at,
            [&words](const SweepOptions& options) { return length_of(words, options); },
            sweep_of_length,
            [&words, &output](const SweepOptions& options, const SweepRun& run) {
                emit_sweep(words, options, run, output);
                return checked_end(run.errors(), run.iterations.size(), output);
            }};
}

int run_sweep_as_asked(const OptionWords& words, Output& output) {
    if (const auto exit_code = run_launched(words, launched_sweep(words, output), output)) return *exit_code;
    struct Asked {
        std::optional<ClockedSweep> clocked;
        SweepOptions options;
    };
    std::vector<Asked> all;  // all are checked before the first one runs
    for (const OptionWords& one : words_of_runs(words)) {
        Asked asked{{}, sweep_options(one)};
        asked.clocked = clocked_sweep(one);
        use_clock(asked.clocked, asked.options);
        asked.options = checked(asked.options);
        all.push_back(std::move(asked));
    }
    require_no_launcher();
    require_output(output, all.size() > 1 ? Draws::yes : Draws::no);
    Progress progress(output.progress, "run sweep3d");
    std::vector<ClockedRun> clocked;
    std::uint64_t errors = 0;
    std::size_t iterations = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        SweepOptions& options = all[i].options;
        options = launched_sweep(words, output).in_time(options, run_sweep3d, launch_here().first_says);
        options.progress = [&progress, i, count = static_cast<double>(all.size())](double fraction) {
            progress.at((static_cast<double>(i) + fraction) / count);
        };
        const SweepRun run = run_sweep3d(options);
        errors += run.errors();
        iterations += run.iterations.size();
        if (all[i].clocked) {
            clocked.push_back({*all[i].clocked, options, run});
        } else {
            emit_sweep(words, options, run, output);
        }
    }
    if (!clocked.empty()) emit(clocked_document(clocked), output);
    return checked_end(errors, iterations, output);
}

}  // namespace

Kernel sweep3d_kernel() {
    const Options own = {
        {"--iterations", "default 12; fewer over tcp, udp and mpi where that would take more than some ten seconds",
         most_iterations},
        {"--fixups-after", "iterations after this one set negative fluxes to zero; default none", max_extent, 0},
        {"--skip-compute", "all messages, no arithmetic", 0, 1, true},
        Option{"-n,--nodes",
               "with --virtual-clock: nodes of the machine, all of whose ranks run; a list 1,2,4 or 1..64 makes a "
               "table, and "
               "so does one of --ranks"}
            .taking_count(),
        Option{"--vectors", "default: the widest"}.taking("scalar|sse2|avx2|avx512")};
    Options protocol = kernel_options({"--protocol"});
    protocol.front().help += ", in one process receiver-initiated";
    return {
        "sweep3d",
        "",
        together({sweep_deck_options(), own, kernel_options({"--virtual-clock", "--machine"}), protocol,
                  kernel_options({"--domain"}), kernel_options(process_options())}),
        run_sweep_as_asked,
        {"run sweep3d --grid 2x3 --angle-block 3 --fixups-after 7",
         "run sweep3d --virtual-clock -m roadrunner --ranks 32 --cells-per-rank 5x5x400 --iterations 1 --skip-compute",
         "run sweep3d --virtual-clock -m roadrunner -n 1,2 --cells-per-rank 2x2x20 --iterations 1 --skip-compute",
         "validate here.yaml --workload sweep3d --cases 20 --seed 7"},
        false,
        false,
        validated_sweep3d(),
        calibrated_sweep3d()};
}

}  // namespace narrows
