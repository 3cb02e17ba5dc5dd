#include <fmt/format.h>

#include "calibrate/kernels/sweep3d/mpi_sweep.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "cli/launched_run.hpp"
#include "cli/launcher.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_kernels.hpp"
#include "cli/sweep3d_query.hpp"
#include "cli/sweep_clock.hpp"
#include "cli/sweep_clock_report.hpp"
#include "cli/sweep_deck.hpp"
#include "cli/sweep_report.hpp"
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
    options.domain = small_count(words.domain, "--domain", most_of_a_deck);
    options.transport = parse_transport(words.transport);
    // In memory the messages that calibrate measures and predict has, and the fastest ones.
    if (options.transport == Transport::shared) options.protocol = Protocol::receiver_initiated;
    if (!words.protocol.empty()) {
        options.protocol = naming("--protocol", [&] { return parse_protocol(words.protocol); });
    }
    options.authenticated = authenticated(words);
    options.ranks_per_process = ranks_per_process(words);
    options.workers = small_count(words.workers, "--workers", 1024);
    if (!words.vectors.empty()) options.vectors = naming("--vectors", [&] { return parse_vectors(words.vectors); });
    options.skip_compute = words.skip_compute;
    const bool computing = !words.vectors.empty() || !words.fixups_after.empty();
    if (options.skip_compute && computing) {
        throw InputError(fmt::format("{}: with --skip-compute nothing is computed: leave it out",
                                     words.vectors.empty() ? "--fixups-after" : "--vectors"));
    }
    return options;
}

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
        "", {problem.cells, options.grid, problem.angles, options.planes, angle_block, problem.moments, ""}, {}};
    check(clocked.query);
    const Machine machine = load_machine(words.machine);
    clocked.machine = machine.id;
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
        throw InputError(fmt::format("--transport {}: a machine's clock runs in one process: leave --transport out",
                                     words.transport));
    }
    if (words.grid.empty()) words.ranks = std::to_string(launched);
    SweepOptions options = checked(sweep_options(words));
    if (options.grid[0] * options.grid[1] != launched) {
        throw InputError(
            fmt::format("--grid {}: the launcher started {} ranks: give a grid of as many", words.grid, launched));
    }
    return options;
}

// What all ranks must have in common.
Launch::Numbers sweep_plan(const SweepOptions& options) {
    const SweepProblem& problem = options.problem;
    Launch::Numbers plan;
    for (const int number : {problem.cells[0], problem.cells[1], problem.cells[2], problem.angles, problem.moments,
                             problem.iterations, problem.fixups_after.value_or(-1), options.grid[0], options.grid[1],
                             options.planes, options.angle_block, static_cast<int>(options.protocol), options.domain,
                             static_cast<int>(options.skip_compute), options.ranks_per_process}) {
        plan.push_back(static_cast<std::size_t>(number));
    }
    return plan;
}

// Of iterations that nobody asked for: as many as the benchmark has, or what links bring in time.
RunLength length_of(const RunWords& words, const SweepOptions& options) {
    const bool asked = !words.iterations.empty() || !words.fixups_after.empty();
    if (asked || options.transport == Transport::shared) return {};
    return {static_cast<std::uint64_t>(SweepProblem().iterations), 1};
}

SweepOptions sweep_of_length(SweepOptions options, std::uint64_t iterations) {
    options.problem.iterations = static_cast<int>(iterations);
    return options;
}

void emit_sweep(const RunWords& words, const SweepOptions& options, const SweepRun& run, Output& output) {
    Document document = sweep_document(options, run);
    const std::size_t usual = length_of(words, options).usual;
    if (run.iterations.size() < usual) {
        document.notes.push_back(fmt::format(
            "{} iterations, because the usual {} would take long between these processes; --iterations sets the number",
            run.iterations.size(), usual));
    }
    emit(document, output);
}

// Where this process starts the others: the same options, but of a length that is over in time.
SweepOptions in_time(const RunWords& words, const SweepOptions& options) {
    const RunLength length = length_of(words, options);
    if (length.usual == 0) return options;
    const auto seconds = [&options](std::uint64_t iterations) {
        return run_sweep3d(sweep_of_length(options, iterations)).seconds;
    };
    return sweep_of_length(options, length_in_time(length, seconds, launch_here().first_says));
}

LaunchedKernel<SweepOptions, SweepRun> launched_sweep(const RunWords& words, Output& output) {
    return {[&words](int processes) { return launched_options(words, processes * ranks_per_process(words)); },
            sweep_plan,
            run_sweep3d_under_mpi,
            run_sweep3d_at,
            [&words](const SweepOptions& options) { return length_of(words, options); },
            sweep_of_length,
            [&words, &output](const SweepOptions& options, const SweepRun& run) {
                emit_sweep(words, options, run, output);
                return checked_end(run.errors(), run.iterations.size(), output);
            }};
}

}  // namespace

int run_sweep3d_kernel(const RunWords& words, Output& output) {
    if (const auto exit_code = run_launched(words, launched_sweep(words, output), output)) return *exit_code;
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
    require_no_launcher();
    require_output(output, all.size() > 1 ? Draws::yes : Draws::no);
    Progress progress(output.progress, "run sweep3d");
    std::vector<ClockedRun> clocked;
    std::uint64_t errors = 0;
    std::size_t iterations = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        SweepOptions& options = all[i].options;
        options = in_time(words, options);
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

}  // namespace narrows
