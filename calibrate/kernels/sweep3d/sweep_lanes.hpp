#pragma once

// The sweep with the angles of a block side by side in vectors; see `vector_lanes.hpp` for why nothing here has a name
// that others see.

#include "calibrate/kernels/sweep3d/sweep_variants.hpp"
#include "calibrate/kernels/sweep3d/vector_lanes.hpp"

namespace narrows {
namespace {

/// The coefficients of a block's angles, and what they do to one cell.
template <class Vector, int n, int moments>
struct LaneTerms {
    using All = Lanes<Vector, n>;
    /// A cell's flux, its source's share in it, and what flows out.
    struct Cell {
        All twice, twice_of_source;
        All out_x, out_y, out_z;
    };

    explicit LaneTerms(const AngleTerms& terms) {
        const auto lanes = [](const AngleLanes& all) { return All::from(reinterpret_cast<const double*>(&all)); };
        twice_a = lanes(terms.a_of_d).twice();
        twice_b = lanes(terms.b_of_d).twice();
        twice_c = lanes(terms.c_of_d).twice();
        next = lanes(terms.next_of_x);
        twice_external = lanes(terms.external_of_d).twice();
        const AngleLanes* source = reinterpret_cast<const AngleLanes*>(&terms.source_of_d);
        const AngleLanes* flux = reinterpret_cast<const AngleLanes*>(&terms.flux);
        for (int m = 0; m < moments; ++m) {
            twice_source[m] = lanes(source[m]).twice();
            const double* weights = reinterpret_cast<const double*>(&flux[m]);
            for (int lane = 0; lane < used_lanes; ++lane) half_flux[lane][m] = weights[lane] / 2;
        }
        half_weight = lanes(flux[0]).half();
        valid = All::from(reinterpret_cast<const double*>(&terms.valid));
    }

    template <bool external>
    __attribute__((always_inline)) Cell solve(const double* before, const All& x, const All& y, const All& z) const {
        Cell cell;
        for (int p = 0; p < n; ++p) {
            Vector s = twice_source[0].part[p] * before[0];
            if constexpr (external) s += twice_external.part[p];
            for (int m = 1; m < moments; ++m) s += twice_source[m].part[p] * before[m];
            const Vector r = s + twice_b.part[p] * y.part[p] + twice_c.part[p] * z.part[p];
            cell.twice_of_source.part[p] = s;
            cell.twice.part[p] = r + twice_a.part[p] * x.part[p];
            cell.out_x.part[p] = r + next.part[p] * x.part[p];
            cell.out_y.part[p] = cell.twice.part[p] - y.part[p];
            cell.out_z.part[p] = cell.twice.part[p] - z.part[p];
        }
        return cell;
    }

    __attribute__((always_inline)) bool has_negative(const Cell& cell) const {
        bool negative = false;
        for (int p = 0; p < n; ++p) {
            negative |= any_sign(any_of(cell.out_x.part[p], cell.out_y.part[p], cell.out_z.part[p]), valid.part[p]);
        }
        return negative;
    }

    // The moments of one angle side by side: lanes are read back one by one, which costs loads where sums over the
    // lanes would cost shuffles, of which a processor does one at a time.
    __attribute__((always_inline)) void add_flux(double* flux, const All& twice) const {
        if constexpr (moments == 1) {
            Vector share = half_weight.part[0] * twice.part[0];
            for (int p = 1; p < n; ++p) share += half_weight.part[p] * twice.part[p];
            *flux += sum(share);
        } else {
            alignas(sizeof(Vector)) double lanes[All::width];
            twice.to(lanes);
            // Else the compiler sees what is in there, and shuffles.
            __asm__("" : "+m"(lanes));
            Vector4 even = load<Vector4>(flux), odd{};
            for (int lane = 0; lane < used_lanes; lane += 2) {
                even += half_flux[lane] * lanes[lane];
                odd += half_flux[lane + 1] * lanes[lane + 1];
            }
            store(flux, even + odd);
        }
    }

    static constexpr int used_lanes = All::width < most_angles ? All::width : most_angles;

    All twice_a, twice_b, twice_c, next, twice_external, valid;
    All twice_source[moments];
    Vector4 half_flux[used_lanes];  ///< moments by lane
    All half_weight;                ///< the first of them, lanes side by side
};

template <class Vector, int n, int moments, bool fixups>
class LaneSweep {
  public:
    explicit LaneSweep(const BlockSweep& block) : block_(block), terms_(*block.terms) {}

    std::int64_t run() {
        for (int k = 0; k < block_.nk; ++k) {
            const double* in_j = block_.in_j + std::ptrdiff_t{k} * block_.ni * block_.angles;
            double* out_j = block_.out_j + std::ptrdiff_t{k} * block_.ni * block_.angles;
            for (std::ptrdiff_t i = 0; i < block_.ni; ++i) {
                All::from(in_j + i * block_.angles).to(block_.row + i * angle_lanes);
            }
            for (int j = 0; j < block_.nj; ++j) row(j, k);
            // Each store reaches beyond its angles, into what the next one writes.
            for (std::ptrdiff_t i = 0; i < block_.ni; ++i) {
                All::from(block_.row + i * angle_lanes).to(out_j + i * block_.angles);
            }
        }
        return fixed_;
    }

  private:
    using Terms = LaneTerms<Vector, n, moments>;
    using All = typename Terms::All;
    using Cell = typename Terms::Cell;

    static bool inside(const SourceRange& range, int index) { return index >= range.from && index < range.to; }

    void row(int j, int k) {
        const std::ptrdiff_t face = (std::ptrdiff_t{k} * block_.nj + j) * block_.angles;
        const std::ptrdiff_t first = j * block_.step_j + k * block_.step_k;
        const bool in_source = inside(block_.source_j, j) && inside(block_.source_k, k);
        const int from = in_source ? block_.source_i.from : block_.ni;
        const int to = in_source ? block_.source_i.to : block_.ni;
        All x = All::from(block_.in_i + face);
        double* z = block_.k_faces + std::ptrdiff_t{j} * block_.ni * angle_lanes;
        cells<false>(0, from, first, x, z);
        cells<true>(from, to, first, x, z);
        cells<false>(to, block_.ni, first, x, z);
        x.to(block_.out_i + face);
    }

    template <bool external>
    __attribute__((always_inline)) void cells(int from, int to, std::ptrdiff_t first, All& x, double* z_faces) {
        const double* before = block_.before + (first + from * block_.step_i) * moments;
        double* flux = block_.flux + (first + from * block_.step_i) * moments;
        const std::ptrdiff_t step = block_.step_i * moments;
        double* y_face = block_.row + std::ptrdiff_t{from} * angle_lanes;
        double* z_face = z_faces + std::ptrdiff_t{from} * angle_lanes;
        const auto next = [&] {
            before += step;
            flux += step;
            y_face += angle_lanes;
            z_face += angle_lanes;
        };
        for (int i = from; i < to; ++i, next()) {
            // Copies, and no call while they are used, so that they are in registers.
            const Terms terms = terms_;
            All in_x = x;
            for (; i < to; ++i, next()) {
                const Cell cell = terms.template solve<external>(before, in_x, All::from(y_face), All::from(z_face));
                if (fixups && terms.has_negative(cell)) break;
                take(terms, cell, flux, in_x, y_face, z_face);
            }
            x = in_x;
            if (!fixups || i == to) break;
            fix<external>(before, flux, x, y_face, z_face);
        }
    }

    __attribute__((always_inline)) static void take(const Terms& terms, const Cell& cell, double* flux, All& x,
                                                    double* y_face, double* z_face) {
        x = cell.out_x;
        cell.out_y.to(y_face);
        cell.out_z.to(z_face);
        terms.add_flux(flux, cell.twice);
    }

    // A cell with outflows below zero. Out of line, for the registers of the others.
    template <bool external>
    __attribute__((noinline)) void fix(const double* before, double* flux, All& x, double* y_face, double* z_face) {
        const All y = All::from(y_face), z = All::from(z_face);
        Cell cell = terms_.template solve<external>(before, x, y, z);
        fix(x, y, z, cell);
        take(terms_, cell, flux, x, y_face, z_face);
    }

    // Solves anew what has an outflow below zero, as `fixed_angle` does: all lanes at once, each going on until none of
    // its outflows is negative.
    __attribute__((always_inline)) void fix(const All& x, const All& y, const All& z, Cell& cell) {
        const auto part_of = [](const AngleLanes& lanes, int p) {
            return load<Vector>(reinterpret_cast<const double*>(&lanes) + p * width_of<Vector>);
        };
        for (int p = 0; p < n; ++p) {
            using Mask = decltype(x.part[p] < x.part[p]);
            const Vector zero{};
            const auto any = [](Mask mask) { return any_sign((Vector)mask, (Vector)mask); };
            const AngleTerms& terms = *block_.terms;
            const Vector a = part_of(terms.a, p), b = part_of(terms.b, p), c = part_of(terms.c, p);
            const Mask negative =
                (cell.out_x.part[p] < zero) | (cell.out_y.part[p] < zero) | (cell.out_z.part[p] < zero);
            const Mask active = negative & ((Mask)terms_.valid.part[p] < 0);
            Vector below = part_of(terms.denominator, p);
            Vector above = cell.twice_of_source.part[p] / 2 * below + a * x.part[p] + b * y.part[p] + c * z.part[p];
            Mask free_x = active, free_y = active, free_z = active;
            Vector twice = cell.twice.part[p];
            Vector out_x = active ? cell.out_x.part[p] : zero;
            Vector out_y = active ? cell.out_y.part[p] : zero;
            Vector out_z = active ? cell.out_z.part[p] : zero;
            const auto renew = [&] {
                twice = 2 * (above / below);
                out_x = free_x ? twice - x.part[p] : zero;
                out_y = free_y ? twice - y.part[p] : zero;
                out_z = free_z ? twice - z.part[p] : zero;
            };
            const auto take_out = [&](Mask which, Mask& free, Vector coefficient, Vector inflow) {
                free &= ~which;
                below -= which ? coefficient : zero;
                above -= which ? coefficient * inflow / 2 : zero;
            };
            while (true) {
                const Mask takes_x = out_x < zero;
                if (any(takes_x)) {
                    take_out(takes_x, free_x, a, x.part[p]);
                    renew();
                }
                const Mask takes_y = out_y < zero;
                const Mask takes_z = (out_z < zero) & ~takes_y;
                if (!any(takes_y | takes_z)) break;
                take_out(takes_y, free_y, b, y.part[p]);
                take_out(takes_z, free_z, c, z.part[p]);
                renew();
            }
            cell.twice.part[p] = active ? twice : cell.twice.part[p];
            cell.out_x.part[p] = active ? out_x : cell.out_x.part[p];
            cell.out_y.part[p] = active ? out_y : cell.out_y.part[p];
            cell.out_z.part[p] = active ? out_z : cell.out_z.part[p];
            const Mask fixed = active & ~(free_x & free_y & free_z);
            for (int lane = 0; lane < width_of<Vector>; ++lane) fixed_ += fixed[lane] != 0 ? 1 : 0;
        }
    }

    const BlockSweep& block_;
    const Terms terms_;
    std::int64_t fixed_ = 0;
};

template <class Vector, int n, int moments, bool fixups>
std::int64_t sweep_lanes(const BlockSweep& block) {
    return LaneSweep<Vector, n, moments, fixups>(block).run();
}

template <class Vector, int n>
SweepBlock lane_sweep(int moments, bool fixups) {
    if (moments == 1) return fixups ? sweep_lanes<Vector, n, 1, true> : sweep_lanes<Vector, n, 1, false>;
    return fixups ? sweep_lanes<Vector, n, 4, true> : sweep_lanes<Vector, n, 4, false>;
}

}  // namespace
}  // namespace narrows
