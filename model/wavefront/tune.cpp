#include "model/wavefront/tune.hpp"

#include <algorithm>
#include <exception>

#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

constexpr double octants_of_tune = 8;

/// A choice before it is evaluated.
struct Candidate {
    SweepQuery query;
    Time closed_form;
};

// The query on another grid of as many ranks; nothing where that has more ranks than cells along an axis.
std::optional<SweepQuery> on_grid(const SweepQuery& query, int wide, bool cells_follow) {
    SweepQuery other = query;
    other.grid = {wide, query.ranks() / wide};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        if (cells_follow) {
            const std::int64_t cells = std::int64_t{query.cells[axis] / query.grid[axis]} * other.grid[axis];
            if (cells > most_sweep_cells) return std::nullopt;
            other.cells[axis] = static_cast<int>(cells);
        }
        if (other.grid[axis] > other.cells[axis]) return std::nullopt;
    }
    return other;
}

// The closed form, and what a gateway takes for a row of its ranks' messages in a block beyond the block's computing.
Time closed_form(const Machine& machine, const SweepQuery& query) {
    const Wavefront wavefront = sweep_wavefront(machine, query);
    const SweepCost cost = sweep_cost(wavefront);
    const Time alone = plug_and_play_time({query.grid[0], query.grid[1], query.blocks()}, cost);
    const bool near = !wavefront.levels.empty() && query.ranks() <= wavefront.levels.back();
    if (wavefront.gateways.ranks == 0 || near) return alone;
    const Time row = wavefront.gateways.service * std::min(wavefront.gateways.ranks, query.grid[0]);
    return alone + std::max(Time(), row - cost.compute) * (octants_of_tune * query.blocks());
}

std::vector<Candidate> candidates(const Machine& machine, const SweepQuery& query, const SweepFreedom& freedom) {
    std::vector<Candidate> all;
    std::exception_ptr refused;
    const auto fixed = [](int value) { return std::vector<std::int64_t>{value}; };
    for (const std::int64_t wide : freedom.grid ? divisors(query.ranks()) : fixed(query.grid[0])) {
        std::optional<SweepQuery> other = on_grid(query, static_cast<int>(wide), freedom.cells_follow_grid);
        if (!other) continue;
        for (const std::int64_t planes : freedom.planes ? divisors(query.cells[2]) : fixed(query.planes)) {
            for (const std::int64_t angles : freedom.angle_block ? divisors(query.angles) : fixed(query.angle_block)) {
                other->planes = static_cast<int>(planes);
                other->angle_block = static_cast<int>(angles);
                try {
                    all.push_back({*other, closed_form(machine, *other)});
                } catch (const InputError&) {  // as of more blocks than are evaluated
                    refused = std::current_exception();
                }
            }
        }
    }
    if (all.empty() && refused) std::rethrow_exception(refused);
    std::ranges::stable_sort(all, {}, &Candidate::closed_form);
    return all;
}

}  // namespace

std::vector<SweepChoice> tune_sweep(const Machine& machine, const SweepQuery& query, const SweepFreedom& freedom,
                                    const ReportProgress& progress) {
    check(query);
    std::vector<SweepChoice> best;
    double spent = 0;
    const std::vector<Candidate> all = candidates(machine, query, freedom);
    double tried = 0;
    const bool is_corrected = !machine.residuals.empty();  // by runs: then no time of the model is a bound
    for (const Candidate& candidate : all) {
        if (progress)
            progress(std::min(1.0, std::max(spent / freedom.effort, tried / static_cast<double>(all.size()))));
        ++tried;
        const bool full = best.size() == freedom.best;
        const auto is_slower = [&] {
            return wavefront_ideal_time(sweep_wavefront(machine, candidate.query)) >= best.back().time;
        };
        if (full && (spent > freedom.effort || (!is_corrected && is_slower()))) continue;
        spent += octants_of_tune * candidate.query.ranks() * candidate.query.blocks();
        const SweepChoice choice = {candidate.query, sweep3d_time(machine, candidate.query), candidate.closed_form};
        const auto place = std::ranges::upper_bound(best, choice.time, {}, &SweepChoice::time);
        best.insert(place, choice);
        if (best.size() > freedom.best) best.pop_back();
    }
    return best;
}

}  // namespace narrows
