#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "calibrate/kernels/sweep3d/ordinates.hpp"

namespace narrows {

/// Doubles that a cell has in a padded face: a lane for each angle of a block, the others unused.
inline constexpr int angle_lanes = 8;

using AngleLanes = std::array<double, angle_lanes>;

/// What the sweep of a block needs of its angles, a lane each. Unused lanes have weight zero and harmless cosines.
///
/// Diamond difference with s = source, x, y, z = inflows: phi = (s + a x + b y + c z) / d, outflow = 2 phi - inflow,
/// d = sigma_t + a + b + c. Divided by d beforehand, phi = r + a' x with r = s' + b' y + c' z, and the outflow along x
/// is 2 r + (2 a' - 1) x: one fused multiply-add from one cell of a row to the next.
struct alignas(64) AngleTerms {
    AngleLanes a, b, c;      ///< 2 * cosine / cell width
    AngleLanes denominator;  ///< d
    AngleLanes a_of_d;       ///< a / d
    AngleLanes b_of_d;
    AngleLanes c_of_d;
    AngleLanes next_of_x;                          ///< 2 a / d - 1
    AngleLanes external_of_d;                      ///< external source over d
    std::array<AngleLanes, 4> source_of_d;         ///< of the flux moments before: scattering * signed cosine / d
    std::array<AngleLanes, 4> flux;                ///< weight * signed cosine, for the flux moments
    std::array<std::uint64_t, angle_lanes> valid;  ///< the sign bit where the lane is an angle, else zero
};

/// Cells of a block that lie in the external source, counted in the order of the sweep: [from, to).
struct SourceRange {
    int from = 0;
    int to = 0;
};

/// The cells of one rank in some planes, to be swept for some angles of an octant. Faces of I and J are packed as
/// messages carry them, `angles` doubles a cell, and have room for `angle_lanes` more at their end; cells are in the
/// order of the sweep, the fastest being J and I of one plane.
struct BlockSweep {
    int ni = 0, nj = 0, nk = 0;
    std::ptrdiff_t step_i = 1, step_j = 0, step_k = 0;  ///< in cells, signed
    const double* before = nullptr;  ///< flux moments of the iteration before, of the first cell to be swept
    double* flux = nullptr;          ///< flux moments, to be added to
    SourceRange source_i, source_j, source_k;
    const double* in_i = nullptr;  ///< [nk][nj][angles]
    const double* in_j = nullptr;  ///< [nk][ni][angles]
    double* out_i = nullptr;       ///< not `in_i`
    double* out_j = nullptr;
    double* k_faces = nullptr;  ///< [nj][ni][angle_lanes], in and out
    double* row = nullptr;      ///< room for [ni][angle_lanes]
    const AngleTerms* terms = nullptr;
    int angles = 0;
};

/// Sweeps a block; returns how many of its cell-angles needed a fixup.
using SweepBlock = std::int64_t (*)(const BlockSweep& block);

/// Which instructions a sweep uses. `scalar` is the plain loop that the others are tested and timed against; `sse2` is
/// the compiler's portable vectors of two.
enum class SweepVectors { scalar, sse2, avx2, avx512 };

std::string_view name_of(SweepVectors vectors);
/// Those that this processor has, the widest last.
std::vector<SweepVectors> available_vectors();
/// InputError with what there is.
SweepVectors parse_vectors(const std::string& name);

/// The sweep for blocks of up to `most_angles` angles and 1 or 4 flux moments, with fixups or without.
SweepBlock sweep_block(SweepVectors vectors, int angles, int moments, bool fixups);

}  // namespace narrows
