#include "calibrate/kernels/sweep3d/rank_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "calibrate/kernels/messages/record_bytes.hpp"
#include "calibrate/transport/word.hpp"

namespace narrows {
namespace {

std::size_t cells_of(const SweepPlan& plan, const CellSpan& i, const CellSpan& j) {
    return static_cast<std::size_t>(i.count) * static_cast<std::size_t>(j.count) *
           static_cast<std::size_t>(plan.problem().cells[2]);
}

CellSpan span_of(const SweepPlan& plan, int rank, std::size_t axis) {
    const auto& grid = plan.options().grid;
    return cell_span(plan.problem().cells[axis], grid[axis], axis == 0 ? rank % grid[0] : rank / grid[0]);
}

}  // namespace

std::string write_record(const SweepRecord& record) {
    return bytes_of_record<SweepTotals>(record, record.iterations);
}

SweepRecord read_sweep_record(const std::string& bytes) {
    SweepRecord record;
    read_record_bytes<SweepTotals>(bytes, record, record.iterations);
    return record;
}

std::size_t RankSweep::flux_doubles(const SweepPlan& plan, int rank) {
    const std::size_t cells = cells_of(plan, span_of(plan, rank, 0), span_of(plan, rank, 1));
    return 2 * whole_lines(cells * static_cast<std::size_t>(plan.problem().moments));
}

RankSweep::RankSweep(const SweepPlan& plan, int rank, double* flux)
    : plan_(&plan),
      rank_(rank),
      span_i_(span_of(plan, rank, 0)),
      span_j_(span_of(plan, rank, 1)),
      flux_(flux),
      before_(flux == nullptr ? nullptr : flux + flux_doubles(plan, rank) / 2) {
    const SweepOptions& options = plan.options();
    if (const auto& clock = options.virtual_clock) {
        const double rows = 1.0 * span_j_.count * options.planes;
        const double cell_angles = span_i_.count * rows * options.angle_block;
        block_seconds_ = clock->start + clock->row * rows + clock->cell_angle * cell_angles;
    }
    const auto& cells = plan.problem().cells;
    const auto emitting = [](const SourceRange& range) { return std::int64_t{range.to} - range.from; };
    record_.emitted =
        emission(emitting(source_in_sweep(source_range(cells[0]), span_i_, true)) *
                 emitting(source_in_sweep(source_range(cells[1]), span_j_, true)) * emitting(source_range(cells[2])));
}

int RankSweep::neighbour(int axis, bool above) const {
    const auto& grid = plan_->options().grid;
    const int stride = axis == 0 ? 1 : grid[0];
    const int place = axis == 0 ? rank_ % grid[0] : rank_ / grid[0];
    const int last = grid[static_cast<std::size_t>(axis)] - 1;
    if (place == (above ? last : 0)) return nobody;
    return above ? rank_ + stride : rank_ - stride;
}

void RankSweep::allocate_faces() {
    const auto planes = static_cast<std::size_t>(plan_->options().planes);
    const auto angles = static_cast<std::size_t>(plan_->options().angle_block);
    const auto ni = static_cast<std::size_t>(span_i_.count);
    const auto nj = static_cast<std::size_t>(span_j_.count);
    const auto made = [](std::size_t doubles) { return Face{std::vector<double>(doubles + angle_lanes), doubles}; };
    in_i_ = out_i_ = made(nj * planes * angles);
    in_j_ = out_j_ = made(ni * planes * angles);
    if (flux_ == nullptr) return;
    k_faces_.resize(ni * nj * angle_lanes);
    row_.resize(ni * angle_lanes);
}

void RankSweep::begin_iteration(int iteration) {
    const std::optional<int>& fixups_after = plan_->problem().fixups_after;
    sweep_ = plan_->sweep(fixups_after && iteration > *fixups_after);
    record_.iterations.emplace_back();
    record_.leakage.fill(0);
}

void RankSweep::begin_angles(std::size_t octant, int angle_block) {
    octant_ = octant;
    angle_block_ = angle_block;
    std::ranges::fill(k_faces_, 0.0);
}

BlockSweep RankSweep::block(int plane_block) const {
    const auto& cells = plan_->problem().cells;
    const int planes = plan_->options().planes;
    const std::ptrdiff_t ni = span_i_.count;
    const std::ptrdiff_t nj = span_j_.count;
    const auto [i_up, j_up, k_up] = octant();
    BlockSweep made;
    made.ni = span_i_.count;
    made.nj = span_j_.count;
    made.nk = planes;
    made.step_i = i_up ? 1 : -1;
    made.step_j = j_up ? ni : -ni;
    made.step_k = k_up ? ni * nj : -ni * nj;
    const int first_plane = k_up ? plane_block * planes : cells[2] - 1 - plane_block * planes;
    const std::ptrdiff_t first = (i_up ? 0 : ni - 1) + (j_up ? 0 : (nj - 1) * ni) + first_plane * ni * nj;
    made.before = before_ + first * moments();
    made.flux = flux_ + first * moments();
    made.source_i = source_in_sweep(source_range(cells[0]), span_i_, i_up);
    made.source_j = source_in_sweep(source_range(cells[1]), span_j_, j_up);
    made.source_k = source_in_sweep(source_range(cells[2]), {0, cells[2]}, k_up);
    made.source_k.from -= plane_block * planes;
    made.source_k.to -= plane_block * planes;
    made.in_i = in_i_.values.data();
    made.in_j = in_j_.values.data();
    made.terms = &plan_->terms(octant_, angle_block_);
    made.angles = plan_->options().angle_block;
    return made;
}

void RankSweep::sweep(int plane_block) {
    if (flux_ == nullptr) return;
    BlockSweep made = block(plane_block);
    made.out_i = out_i_.values.data();
    made.out_j = out_j_.values.data();
    made.k_faces = k_faces_.data();
    made.row = row_.data();
    record_.iterations.back().fixed += sweep_(made);
    const auto angles = static_cast<std::size_t>(made.angles);
    if (downstream_i() == nobody) leak(0, octant().i_up, made.out_i, out_i_.doubles / angles, angles);
    if (downstream_j() == nobody) leak(1, octant().j_up, made.out_j, out_j_.doubles / angles, angles);
}

void RankSweep::end_angles() {
    if (flux_ == nullptr) return;
    leak(2, octant().k_up, k_faces_.data(), k_faces_.size() / angle_lanes, angle_lanes);
}

// Adds what leaves the box through a face whose cells have `stride` doubles each. All lanes are summed side by side,
// also those beyond the angles, which are the next cell's.
void RankSweep::leak(int axis, bool up, const double* face, std::size_t cells, std::size_t stride) {
    AngleLanes of_angle{};
    for (std::size_t cell = 0; cell < cells; ++cell, face += stride) {
        for (std::size_t lane = 0; lane < angle_lanes; ++lane) of_angle[lane] += face[lane];
    }
    const int angles = plan_->options().angle_block;
    double sum = 0;
    for (int m = 0; m < angles; ++m) {
        sum += of_angle[static_cast<std::size_t>(m)] * plan_->current(axis, angle_block_ * angles + m);
    }
    record_.leakage[2 * static_cast<std::size_t>(axis) + (up ? 1 : 0)] += up ? sum : -sum;
}

void RankSweep::end_iteration() {
    if (flux_ == nullptr) return;
    const auto stride = static_cast<std::size_t>(moments());
    const std::size_t doubles = cells_of(*plan_, span_i_, span_j_) * stride;
    double error = 0;
    double sum = 0;
    for (std::size_t at = 0; at < doubles; at += stride) {
        const double now = flux_[at];
        sum += now;
        if (now != 0) error = std::max(error, std::abs((now - before_[at]) / now));
    }
    record_.absorption = absorption(sum);
    // Leakages are positive along their axes.
    double left = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) left += record_.leakage[2 * axis + 1] - record_.leakage[2 * axis];
    SweepIteration& iteration = record_.iterations.back();
    iteration.error = error;
    const double gained = plan_->total_weight() * (record_.emitted + scattered_before_);
    iteration.imbalance = gained - record_.absorption - scattered(sum) - left;
    scattered_before_ = scattered(sum);
    std::swap(flux_, before_);
    std::fill(flux_, flux_ + doubles, 0.0);
}

}  // namespace narrows
