#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "calibrate/kernels/sweep3d/sweep_plan.hpp"
#include "calibrate/messaging/messaging_memory.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/transport/shared_memory.hpp"
#include "model/wavefront/workload.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Factors (i, j) of `ranks` that the cells allow, the nearest to a square; {0, 0} when there are none.
std::array<int, 2> best_factors(int ranks, const std::array<int, 3>& cells) {
    std::array<int, 2> best = {0, 0};
    const auto take = [&](int i, int j) {
        const bool allowed = i <= cells[0] && j <= cells[1];
        const bool better = best[0] == 0 || std::abs(i - j) < std::abs(best[0] - best[1]);
        if (allowed && better) best = {i, j};
    };
    for (int low = 1; low <= ranks / low; ++low) {
        if (ranks % low != 0) continue;
        const int high = ranks / low;
        // The fill of the pipeline counts ranks along J twice as much as ranks along I.
        if (cells[0] >= cells[1]) take(high, low);
        take(low, high);
        take(high, low);
    }
    return best;
}

void check_problem(const SweepProblem& problem) {
    ordinates(problem.angles);
    if (problem.iterations < 1 || problem.iterations > most_iterations) {
        throw InputError(fmt::format("{} iterations cannot run: give 1 to {}", problem.iterations, most_iterations));
    }
    if (problem.fixups_after && *problem.fixups_after < 0) {
        throw InputError(fmt::format("fixups cannot begin after iteration {}: give 0 for all iterations, or more",
                                     *problem.fixups_after));
    }
}

void check_ranks(const SweepOptions& options) {
    const std::int64_t ranks = std::int64_t{options.grid[0]} * options.grid[1];
    const bool shared = options.transport == Transport::shared;
    check_rank_count(ranks, options.domain, options.transport, options.ranks_per_process);
    check_processes(static_cast<int>(ranks), options.ranks_per_process, options.transport, options.workers);
    if (options.virtual_clock && (!shared || options.workers > 1 || options.protocol != Protocol::receiver_initiated)) {
        throw InputError(
            "a virtual clock times receiver-initiated messages on one thread: leave protocol, transport and "
            "workers out");
    }
    if (options.domain != 0 && (options.protocol != Protocol::receiver_initiated || !shared)) {
        throw InputError("gateways forward receiver-initiated messages over shared memory only: leave the domain out");
    }
}

long double deck_memory(const SweepOptions& options) {
    const SweepProblem& problem = options.problem;
    const int ranks = options.grid[0] * options.grid[1];
    const long double cells = static_cast<long double>(problem.cells[0]) * problem.cells[1] * problem.cells[2];
    const int longest = (problem.cells[0] + options.grid[0] - 1) / options.grid[0] +
                        (problem.cells[1] + options.grid[1] - 1) / options.grid[1];
    long double doubles = static_cast<long double>(ranks) * 2 * longest * options.planes * options.angle_block;
    if (!options.skip_compute) {
        const long double faces_k = static_cast<long double>(problem.cells[0]) * problem.cells[1] * angle_lanes;
        doubles += cells * 2 * problem.moments + faces_k;
    }
    return doubles * sizeof(double);
}

void check_memory(const SweepOptions& options) {
    const int ranks = options.grid[0] * options.grid[1];
    const int workers = options.transport == Transport::shared ? options.workers : ranks / options.ranks_per_process;
    const bool each_alone = options.transport == Transport::mpi;  // there each may have its own host
    const int here = each_alone ? workers : 1;
    const long double deck = deck_memory(options) / here;
    const bool rings = options.transport == Transport::shared && !options.virtual_clock;
    const std::size_t messaging =
        messaging_memory(options.protocol, options.domain, ranks, workers, options.virtual_clock.has_value()) +
        (rings ? SharedRings::bytes(rank_layout(ranks, workers).workers) : 0);
    const long double messages = static_cast<long double>(messaging) / here;
    const long double need = deck + messages;
    const auto have = static_cast<long double>(available_memory());
    if (need <= have) return;
    if (messages > deck) {
        throw InputError(
            fmt::format("{} {:.0f} MiB for their messages, and {:.0f} MiB of memory are free: give fewer ranks",
                        each_alone ? fmt::format("of {} ranks each needs", ranks) : fmt::format("{} ranks need", ranks),
                        mebibytes(messages), mebibytes(have)));
    }
    const bool reducible = !options.skip_compute && options.problem.moments == 4;
    throw InputError(fmt::format("{} {:.0f} MiB and {:.0f} MiB of memory are free: give fewer cells{}",
                                 each_alone ? "a rank of the deck needs" : "the deck needs", mebibytes(need),
                                 mebibytes(have), reducible ? ", or 1 moment" : ""));
}

}  // namespace

std::array<int, 2> sweep_grid(int ranks, const std::array<int, 3>& cells) {
    if (ranks < 1) throw InputError(fmt::format("{} ranks cannot run: give 1 or more", ranks));
    if (const auto grid = best_factors(ranks, cells); grid[0] != 0) return grid;
    const std::int64_t most = std::int64_t{cells[0]} * cells[1];
    int nearest = static_cast<int>(std::min<std::int64_t>(most, std::numeric_limits<int>::max()));
    if (nearest > ranks) {
        for (int distance = 1;; ++distance) {
            nearest = ranks - distance;
            if (best_factors(nearest, cells)[0] != 0) break;
            nearest = ranks + distance;
            if (best_factors(nearest, cells)[0] != 0) break;
        }
    }
    throw InputError(fmt::format(
        "{} ranks have no grid with at most {} of them along I and {} along J: give {} ranks, or more cells", ranks,
        cells[0], cells[1], nearest));
}

SweepOptions checked(const SweepOptions& options) {
    SweepOptions chosen = options;
    check_problem(chosen.problem);
    if (chosen.angle_block == 0) chosen.angle_block = chosen.problem.angles;
    const SweepProblem& problem = chosen.problem;
    check(
        SweepQuery{problem.cells, chosen.grid, problem.angles, chosen.planes, chosen.angle_block, problem.moments, ""});
    check_ranks(chosen);
    if (chosen.virtual_clock) {
        chosen.workers = 1;
    } else if (chosen.transport == Transport::shared) {
        chosen.workers = rank_layout(chosen.grid[0] * chosen.grid[1], chosen.workers).workers;
    }
    check_memory(chosen);
    return chosen;
}

std::vector<std::size_t> job_plan(const SweepOptions& options) {
    const SweepProblem& problem = options.problem;
    std::vector<std::size_t> plan;
    for (const int number : {problem.cells[0], problem.cells[1], problem.cells[2], problem.angles, problem.moments,
                             problem.iterations, problem.fixups_after.value_or(-1), options.grid[0], options.grid[1],
                             options.planes, options.angle_block, static_cast<int>(options.protocol), options.domain,
                             static_cast<int>(options.skip_compute), options.ranks_per_process}) {
        plan.push_back(static_cast<std::size_t>(number));
    }
    return plan;
}

}  // namespace narrows
