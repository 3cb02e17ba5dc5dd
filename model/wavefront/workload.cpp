#include "model/wavefront/workload.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <utility>

#include "model/read_costs.hpp"
#include "model/uncertainty.hpp"
#include "model/wavefront/messages.hpp"
#include "model/wavefront/residuals.hpp"
#include "model/wavefront/shared_servers.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr double double_bytes = 8;
constexpr std::int64_t most_sweep_ranks = 1 << 24;
// Of blocks by ranks: minutes, also where ranks that take turns are simulated.
constexpr std::int64_t most_sweep_visits = std::int64_t{1} << 33;
constexpr std::int64_t most_simulated_visits = std::int64_t{1} << 27;

std::int64_t nearest_divisor(int whole, int part) {
    const std::vector<std::int64_t> all = divisors(whole);
    const auto is_nearer = [part](std::int64_t a, std::int64_t b) { return std::abs(a - part) < std::abs(b - part); };
    return *std::ranges::min_element(all, is_nearer);
}

void check_divides(int part, int whole, const char* parts, const char* setting) {
    if (part >= 1 && whole % part == 0) return;
    throw InputError(
        fmt::format("{} {} a block do not divide {}: give {}", part, parts, whole, nearest_divisor(whole, part)))
        .of_setting(setting);
}

Time grind_time(const Machine& machine, const SweepQuery& query) {
    const bool isotropic = query.moments == 1 && find(machine, "compute.sweep3d.grind_isotropic") != nullptr;
    return time_at(machine, isotropic ? "compute.sweep3d.grind_isotropic" : "compute.sweep3d.grind");
}

// What a cell takes each time that a block visits it, beside the block's own work: its flux from beyond the nearest
// caches, its share of what its column takes once an octant and block of angles, and of the end of the iteration.
Time beside_visit(const Machine& machine, const std::string& path, const SweepQuery& query) {
    const double visits = visits_of_cell(query);
    Time beside = time_or_zero(machine, path + ".column") / query.cells[2];
    beside +=
        time_or_zero(machine, query.moments == 1 ? "compute.sweep3d.end_isotropic" : "compute.sweep3d.end") / visits;
    if (!has(machine, path + ".flux")) return beside;
    // The end reads and writes the flux once more.
    return beside + curve_at(machine, path + ".flux").at(flux_of_processor(query)) * ((visits + 1) / visits);
}

// What computing a block costs, by its shape where the machine knows that.
void read_computing(const Machine& machine, const SweepQuery& query, Wavefront& wavefront) {
    const std::vector<std::string> kinds = names_below(machine, "compute.sweep3d.blocks");
    if (kinds.empty()) {
        wavefront.cell = grind_time(machine, query) * (static_cast<double>(query.planes) * query.angle_block);
        return;
    }
    const std::string kind = kind_of_block(query);
    if (std::ranges::find(kinds, kind) == kinds.end()) {
        throw InputError(fmt::format("machine '{}' has no blocks of {} angles with {} (it has: {})", machine.id,
                                     query.angle_block, query.moments == 1 ? "1 moment" : "4 moments",
                                     fmt::join(kinds, ", ")));
    }
    const std::string path = "compute.sweep3d.blocks." + kind;
    wavefront.start = time_or_zero(machine, path + ".start");
    if (query.shares_processors()) wavefront.start += time_or_zero(machine, "compute.sweep3d.turn");
    wavefront.row = time_or_zero(machine, path + ".row") * query.planes;
    wavefront.cell = (time_at(machine, path + ".cell") + beside_visit(machine, path, query)) * query.planes;
}

Time model_time(const Machine& machine, const SweepQuery& query, const ReportProgress& progress = {}) {
    return std::max(wavefront_time(sweep_wavefront(machine, query), progress),
                    slowest_shared_server(machine, query).time);
}

// What the model says of each state beside `usual`, as its messages between cores wait for cache lines.
std::function<double(std::span<const double>)> beside_states(const Machine& machine, const SweepQuery& query,
                                                             const std::vector<std::vector<double>>& states, Time usual,
                                                             const ReportProgress& progress) {
    if (query.ranks() == 1 || find(machine, core_distance_path) == nullptr) return {};
    double done = 0;  // of the two that are asked for
    return model_in_states(states, usual.si(), [&](double distance) {
        const double from = std::exchange(done, 0.5);
        return model_time(at_core_distance(machine, distance), query, part_of(progress, from, from + 0.5)).si();
    });
}

// What the runs of the machine's calibration tell of this query: on one node, whose messages go as it says.
const ResidualSurface* residuals_of(const Machine& machine, const SweepQuery& query) {
    const bool usual = query.protocol.empty() && query.node_of_rank.empty() && query.nodes() == 1;
    return usual && !machine.composed ? residuals_named(machine, sweep_residuals) : nullptr;
}

// As those runs were measured to be, where they tell.
TimePrediction as_measured(const Machine& machine, const SweepQuery& query, TimePrediction prediction,
                           const ReportProgress& progress = {}) {
    const ResidualSurface* const surface = residuals_of(machine, query);
    if (surface == nullptr) return prediction;
    const auto in_states = beside_states(machine, query, surface->measured().states, prediction.time, progress);
    return corrected(std::move(prediction), surface->beside(residual_variables(machine, query), in_states));
}

// The time alone.
TimePrediction timed(const Machine& machine, const SweepQuery& query) {
    TimePrediction prediction;
    prediction.time = model_time(machine, query);
    return as_measured(machine, query, std::move(prediction));
}

}  // namespace

std::string kind_of_block(const SweepQuery& query) {
    return fmt::format("{}{}", query.angle_block, query.moments == 1 ? "-isotropic" : "");
}

double SweepQuery::used_processors() const {
    if (!shares_processors()) return ranks();
    return static_cast<double>(ranks()) * processors / std::min(ranks_per_node, ranks());
}

double visits_of_cell(const SweepQuery& query) {
    constexpr double octants = 8;
    return octants * query.angles / query.angle_block;
}

Data flux_of_processor(const SweepQuery& query) {
    constexpr double iterations_kept = 2;  // the one that is computed, and the one before
    const double cells = static_cast<double>(query.cells[0]) * query.cells[1] * query.cells[2];
    return bytes(cells * query.moments * iterations_kept * double_bytes / query.used_processors());
}

void check(const SweepQuery& query) {
    for (const int cells : query.cells) {
        if (cells >= 1 && cells <= most_sweep_cells) continue;
        throw InputError(fmt::format("{} cells along an axis are not possible: give 1 to {}", cells, most_sweep_cells));
    }
    check_divides(query.planes, query.cells[2], "planes", "planes");
    check_divides(query.angle_block, query.angles, "angles", "angle-block");
    if (query.moments != 1 && query.moments != 4) {
        throw InputError(fmt::format("{} flux moments: scattering is isotropic (1) or linear (4): give {}",
                                     query.moments, query.moments < 3 ? 1 : 4));
    }
    const std::int64_t ranks = std::int64_t{query.grid[0]} * query.grid[1];
    if (ranks > most_sweep_ranks) {
        throw InputError(fmt::format("{} ranks are too many to evaluate: give at most {}", ranks, most_sweep_ranks));
    }
    if (ranks * query.blocks() > (query.shares_processors() ? most_simulated_visits : most_sweep_visits)) {
        throw InputError(
            fmt::format("{} blocks on {} ranks are too many to evaluate: give larger blocks or fewer ranks",
                        query.blocks(), ranks));
    }
    for (std::size_t axis = 0; axis < 2; ++axis) {
        if (query.grid[axis] >= 1 && query.grid[axis] <= query.cells[axis]) continue;
        throw InputError(fmt::format("{} ranks along {} do not fit its {} cells: give 1 to {}", query.grid[axis],
                                     axis == 0 ? "I" : "J", query.cells[axis], query.cells[axis]));
    }
}

Wavefront sweep_computing(const Machine& machine, const SweepQuery& query) {
    check(query);
    Wavefront wavefront;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        wavefront.cells[axis] = even_parts(query.cells[axis], query.grid[axis]);
    }
    wavefront.blocks = query.blocks();
    read_computing(machine, query, wavefront);
    return wavefront;
}

Wavefront sweep_wavefront(const Machine& machine, const SweepQuery& query) {
    Wavefront wavefront = sweep_computing(machine, query);
    if (query.ranks() == 1) return wavefront;
    read_messages(machine, query, wavefront);
    return wavefront;
}

SweepCost sweep_cost(const Wavefront& wavefront) {
    SweepCost cost;
    cost.compute = wavefront.compute(wavefront.cells[0].front(), wavefront.cells[1].front());
    if (!wavefront.hop) return cost;
    const Time gateways =
        wavefront.gateways.ranks > 0 ? wavefront.gateways.service * 2 + wavefront.gateways.wire : Time();
    const auto message = [&](SweepAxis axis, int cells) {
        const HopCost hop = wavefront.hop(axis, cells, wavefront.levels.size());
        return SweepMessage{hop.send, hop.receive, hop.send + gateways + hop.latency + hop.bytes + hop.receive};
    };
    cost.i = message(SweepAxis::i, wavefront.cells[1].front());
    cost.j = message(SweepAxis::j, wavefront.cells[0].front());
    return cost;
}

Time sweep3d_time(const Machine& machine, const SweepQuery& query) {
    return timed(machine, query).time;
}

TimePrediction sweep3d_path(const Machine& machine, const SweepQuery& query, const ReportProgress& progress) {
    // The states that runs were in take two more.
    const double share = residuals_of(machine, query) != nullptr ? 1.0 / 3 : 1;
    Breakdown path = wavefront_breakdown(sweep_wavefront(machine, query), part_of(progress, 0, share));
    const NamedTime server = slowest_shared_server(machine, query);
    if (server.time > path.total) {
        path.terms.push_back({server.name, server.time - path.total});
        path.total = server.time;
    }
    return as_measured(machine, query, critical_path(path), part_of(progress, share, 1));
}

TimePrediction predict_sweep3d(const Machine& machine, const SweepQuery& query, const ReportProgress& progress) {
    // The path is one prediction of many where parameters have intervals and no runs were measured.
    const bool has_runs = residuals_of(machine, query) != nullptr;
    const bool is_certain =
        std::ranges::none_of(machine.parameters, [](const Parameter& one) { return one.interval.has_value(); });
    const double path = has_runs || is_certain ? 1 : 0.1;
    bool is_first = true;  // of the machine itself, whose terms are wanted
    const TimePredictionOf predicted = [&](const Machine& changed) {
        return std::exchange(is_first, false) ? sweep3d_path(changed, query, part_of(progress, 0, path))
                                              : timed(changed, query);
    };
    TimePrediction prediction = with_interval(machine, predicted, part_of(progress, path, 1));
    prediction.estimate = query.shares_processors()
                              ? "ranks taking turns on processors; terms of the one that ends last"
                              : "the recurrence of all ranks and blocks, along its critical path; no less than any "
                                "server that ranks share needs";
    prediction.source = "sweep3d.f 2.2b (schedule), derived";
    prediction.assumptions =
        "every cell and angle takes the same time, without fixups; ranks are numbered along I first and lie on nodes "
        "in that order unless placed; a gateway takes a message as soon as it is idle; a cell's flux moments are read "
        "and written in memory, its source read, once a block";
    return prediction;
}

double communication_share(const Wavefront& wavefront, Time time, const ReportProgress& progress) {
    return time.si() > 0 ? std::max(0.0, 1 - wavefront_ideal_time(wavefront, progress) / time) : 0;
}

}  // namespace narrows
