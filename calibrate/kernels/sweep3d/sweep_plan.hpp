#pragma once

#include <vector>

#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "model/wavefront/parts.hpp"

namespace narrows {

/// The cells along an axis that emit particles: with c = floor((n + 1) / 3), 0 for n < 3, cells c to n - c.
SourceRange source_range(int cells);
/// That of a part of the axis, counted from its first cell in the direction of the sweep.
SourceRange source_in_sweep(const SourceRange& whole, const CellSpan& part, bool up);

/// What all ranks of a run share. Made of options that `checked` has returned.
class SweepPlan {
  public:
    explicit SweepPlan(const SweepOptions& options);

    const SweepOptions& options() const { return options_; }
    const SweepProblem& problem() const { return options_.problem; }
    int ranks() const { return options_.grid[0] * options_.grid[1]; }
    int plane_blocks() const { return problem().cells[2] / options_.planes; }
    int angle_blocks() const { return problem().angles / options_.angle_block; }
    SweepVectors vectors() const { return vectors_; }

    const AngleTerms& terms(std::size_t octant, int angle_block) const;
    /// Weight times cosine to axis 0, 1 or 2, times a cell's face, of an angle of an octant.
    double current(int axis, int angle) const;
    /// Of all directions together: one, but for the digits that the quadrature is given with.
    double total_weight() const;
    SweepBlock sweep(bool fixups) const { return fixups ? fixing_ : plain_; }

  private:
    SweepOptions options_;
    SweepVectors vectors_;
    SweepBlock plain_;
    SweepBlock fixing_;
    Ordinates ordinates_;
    std::vector<AngleTerms> terms_;
};

/// Particles that so many cells of the source emit a second.
double emission(std::int64_t cells);
/// Particles absorbed, and scattered, a second in cells whose scalar fluxes have this sum.
double absorption(double scalar_fluxes);
double scattered(double scalar_fluxes);

}  // namespace narrows
