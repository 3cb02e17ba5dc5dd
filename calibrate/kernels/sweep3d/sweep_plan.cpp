#include "calibrate/kernels/sweep3d/sweep_plan.hpp"

#include <algorithm>
#include <numeric>

namespace narrows {
namespace {

// The material and the mesh of the benchmark.
constexpr double cell_width = 0.1;
constexpr double cell_volume = cell_width * cell_width * cell_width;
constexpr double total_cross_section = 1.0;
constexpr std::array<double, 4> scattering = {0.5, 0.6, 0.6, 0.6};  // of moments 1 to 3: 3 * 0.2
constexpr double source_strength = 1.0;

AngleTerms angle_terms(const Ordinates& all, const Octant& octant, int first, int count) {
    AngleTerms terms{};
    for (std::size_t lane = 0; lane < angle_lanes; ++lane) {
        const bool valid = static_cast<int>(lane) < count;
        const std::size_t angle = static_cast<std::size_t>(first) + (valid ? lane : 0);
        terms.a[lane] = 2 * all.mu[angle] / cell_width;
        terms.b[lane] = 2 * all.eta[angle] / cell_width;
        terms.c[lane] = 2 * all.xi[angle] / cell_width;
        const double d = total_cross_section + terms.a[lane] + terms.b[lane] + terms.c[lane];
        terms.denominator[lane] = d;
        terms.a_of_d[lane] = terms.a[lane] / d;
        terms.b_of_d[lane] = terms.b[lane] / d;
        terms.c_of_d[lane] = terms.c[lane] / d;
        terms.next_of_x[lane] = 2 * terms.a_of_d[lane] - 1;
        terms.external_of_d[lane] = source_strength / d;
        const std::array<double, 4> harmonic = {1.0, octant.i_up ? all.mu[angle] : -all.mu[angle],
                                                octant.j_up ? all.eta[angle] : -all.eta[angle],
                                                octant.k_up ? all.xi[angle] : -all.xi[angle]};
        for (std::size_t moment = 0; moment < harmonic.size(); ++moment) {
            terms.source_of_d[moment][lane] = scattering[moment] * harmonic[moment] / d;
            terms.flux[moment][lane] = valid ? all.weight[angle] * harmonic[moment] : 0;
        }
        terms.valid[lane] = valid ? std::uint64_t{1} << 63 : 0;
    }
    return terms;
}

}  // namespace

SourceRange source_range(int cells) {
    const int margin = cells < 3 ? 0 : (cells + 1) / 3;
    return {margin, cells - margin};
}

SourceRange source_in_sweep(const SourceRange& whole, const CellSpan& part, bool up) {
    const auto inside = [&part](int cell) { return std::clamp(cell - part.first, 0, part.count); };
    const SourceRange own = {inside(whole.from), inside(whole.to)};
    return up ? own : SourceRange{part.count - own.to, part.count - own.from};
}

SweepPlan::SweepPlan(const SweepOptions& options)
    : options_(options),
      vectors_(options.vectors.value_or(available_vectors().back())),
      plain_(sweep_block(vectors_, options.angle_block, options.problem.moments, false)),
      fixing_(sweep_block(vectors_, options.angle_block, options.problem.moments, true)),
      ordinates_(ordinates(options.problem.angles)) {
    for (const Octant& octant : octants) {
        for (int block = 0; block < angle_blocks(); ++block) {
            terms_.push_back(angle_terms(ordinates_, octant, block * options.angle_block, options.angle_block));
        }
    }
}

const AngleTerms& SweepPlan::terms(std::size_t octant, int angle_block) const {
    return terms_[octant * static_cast<std::size_t>(angle_blocks()) + static_cast<std::size_t>(angle_block)];
}

double SweepPlan::current(int axis, int angle) const {
    const auto m = static_cast<std::size_t>(angle);
    const double cosine = axis == 0 ? ordinates_.mu[m] : axis == 1 ? ordinates_.eta[m] : ordinates_.xi[m];
    return ordinates_.weight[m] * cosine * cell_width * cell_width;
}

double SweepPlan::total_weight() const {
    return static_cast<double>(octants.size()) *
           std::accumulate(ordinates_.weight.begin(), ordinates_.weight.end(), 0.0);
}

double emission(std::int64_t cells) {
    return static_cast<double>(cells) * source_strength * cell_volume;
}

double absorption(double scalar_fluxes) {
    return (total_cross_section - scattering[0]) * scalar_fluxes * cell_volume;
}

double scattered(double scalar_fluxes) {
    return scattering[0] * scalar_fluxes * cell_volume;
}

}  // namespace narrows
