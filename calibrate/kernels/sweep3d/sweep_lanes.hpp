#pragma once

// The sweep with the angles of a block side by side in vectors. Each file that includes this is compiled for another
// instruction set, so that everything here is in an unnamed namespace and calls no function of the standard library:
// the linker must not take one's copy for another's.

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "calibrate/kernels/sweep3d/sweep_variants.hpp"

namespace narrows {
namespace {

using Vector2 = double __attribute__((vector_size(16)));
using Vector4 = double __attribute__((vector_size(32)));
using Vector8 = double __attribute__((vector_size(64)));

template <class Vector>
inline constexpr int width_of = sizeof(Vector) / sizeof(double);

template <class Vector>
inline Vector load(const double* from) {
    Vector loaded;
    __builtin_memcpy(&loaded, from, sizeof loaded);
    return loaded;
}
template <class Vector>
inline void store(double* to, const Vector& vector) {
    __builtin_memcpy(to, &vector, sizeof vector);
}

// Sums the lanes of one vector.
inline double sum(Vector2 v) {
    return v[0] + v[1];
}
#if defined(__AVX__)
inline double sum(Vector4 v) {
    return sum(__builtin_shufflevector(v, v, 0, 1) + __builtin_shufflevector(v, v, 2, 3));
}
#endif
#if defined(__AVX512F__)
inline double sum(Vector8 v) {
    return sum(__builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7));
}
#endif

// Whether a sign bit is set in any lane of `v` that `mask` has.
inline bool any_sign(Vector2 v, Vector2 mask) {
#if defined(__x86_64__)
    return _mm_movemask_pd(_mm_and_pd(v, mask)) != 0;
#else
    return (__builtin_signbit(v[0]) && __builtin_signbit(mask[0])) ||
           (__builtin_signbit(v[1]) && __builtin_signbit(mask[1]));
#endif
}
#if defined(__AVX__)
inline bool any_sign(Vector4 v, Vector4 mask) {
    return _mm256_testz_pd(v, mask) == 0;
}
#endif
#if defined(__AVX512F__)
inline bool any_sign(Vector8 v, Vector8 mask) {
    return _mm512_test_epi64_mask(_mm512_castpd_si512(v), _mm512_castpd_si512(mask)) != 0;
}
#endif

// The sign bits of three vectors together.
template <class Vector>
inline Vector any_of(const Vector& x, const Vector& y, const Vector& z) {
    using Bits = decltype(x < y);
    return (Vector)((Bits)x | (Bits)y | (Bits)z);
}

/// The lanes of all angles of a block, in `n` vectors.
template <class Vector, int n>
struct Lanes {
    Vector part[n];

    static constexpr int width = width_of<Vector> * n;

    Lanes times(double factor) const {
        Lanes made;
        for (int p = 0; p < n; ++p) made.part[p] = part[p] * factor;
        return made;
    }
    Lanes twice() const { return times(2); }
    Lanes half() const { return times(0.5); }

    static Lanes from(const double* data) {
        Lanes made;
        for (int p = 0; p < n; ++p) made.part[p] = load<Vector>(data + p * width_of<Vector>);
        return made;
    }
    void to(double* data) const {
        for (int p = 0; p < n; ++p) store(data + p * width_of<Vector>, part[p]);
    }
};

template <class Vector, int n, int moments, bool fixups>
class LaneSweep {
  public:
    explicit LaneSweep(const BlockSweep& block) : block_(block) {
        const AngleTerms& terms = *block.terms;
        const auto lanes = [](const AngleLanes& all) { return All::from(reinterpret_cast<const double*>(&all)); };
        twice_a_ = lanes(terms.a_of_d).twice();
        twice_b_ = lanes(terms.b_of_d).twice();
        twice_c_ = lanes(terms.c_of_d).twice();
        next_ = lanes(terms.next_of_x);
        twice_external_ = lanes(terms.external_of_d).twice();
        const AngleLanes* source = reinterpret_cast<const AngleLanes*>(&terms.source_of_d);
        const AngleLanes* flux = reinterpret_cast<const AngleLanes*>(&terms.flux);
        for (int m = 0; m < moments; ++m) {
            twice_source_[m] = lanes(source[m]).twice();
            const double* weights = reinterpret_cast<const double*>(&flux[m]);
            for (int lane = 0; lane < angle_lanes; ++lane) half_flux_[lane][m] = weights[lane] / 2;
        }
        half_weight_ = lanes(flux[0]).half();
        valid_ = All::from(reinterpret_cast<const double*>(&terms.valid));
    }

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
    using All = Lanes<Vector, n>;

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
        for (int i = from; i < to; ++i) {
            cell<external>(before, flux, x, y_face, z_face);
            before += step;
            flux += step;
            y_face += angle_lanes;
            z_face += angle_lanes;
        }
    }

    template <bool external>
    __attribute__((always_inline)) void cell(const double* before, double* flux, All& x, double* y_face,
                                             double* z_face) {
        const All y = All::from(y_face);
        const All z = All::from(z_face);
        All twice, out_x, out_y, out_z, source;  // twice what is solved for
        for (int p = 0; p < n; ++p) {
            Vector s = twice_source_[0].part[p] * before[0];
            if constexpr (external) s += twice_external_.part[p];
            for (int m = 1; m < moments; ++m) s += twice_source_[m].part[p] * before[m];
            const Vector r = s + twice_b_.part[p] * y.part[p] + twice_c_.part[p] * z.part[p];
            source.part[p] = s;
            twice.part[p] = r + twice_a_.part[p] * x.part[p];
            out_x.part[p] = r + next_.part[p] * x.part[p];
            out_y.part[p] = twice.part[p] - y.part[p];
            out_z.part[p] = twice.part[p] - z.part[p];
        }
        if constexpr (fixups) {
            Vector signs = any_of(out_x.part[0], out_y.part[0], out_z.part[0]);
            bool negative = any_sign(signs, valid_.part[0]);
            for (int p = 1; p < n; ++p) {
                signs = any_of(out_x.part[p], out_y.part[p], out_z.part[p]);
                negative |= any_sign(signs, valid_.part[p]);
            }
            if (__builtin_expect(negative, false)) {
                const Outcome outcome = fix(source, x, y, z, {twice, out_x, out_y, out_z, 0});
                twice = outcome.twice;
                out_x = outcome.out_x;
                out_y = outcome.out_y;
                out_z = outcome.out_z;
                fixed_ += outcome.fixed;
            }
        }
        x = out_x;
        out_y.to(y_face);
        out_z.to(z_face);
        add_flux(flux, twice);
    }

    // The moments of one angle side by side: lanes are read back one by one, which costs loads where sums over the
    // lanes would cost shuffles, of which a processor does one at a time.
    __attribute__((always_inline)) void add_flux(double* flux, const All& twice) const {
        if constexpr (moments == 1) {
            Vector share = half_weight_.part[0] * twice.part[0];
            for (int p = 1; p < n; ++p) share += half_weight_.part[p] * twice.part[p];
            *flux += sum(share);
        } else {
            alignas(sizeof(Vector)) double lanes[All::width];
            twice.to(lanes);
            Vector4 even = load<Vector4>(flux), odd{};
            for (int lane = 0; lane < block_.angles; lane += 2) {
                even += half_flux_[lane] * lanes[lane];
                odd += half_flux_[lane + 1] * lanes[lane + 1];
            }
            store(flux, even + odd);
        }
    }

    struct Outcome {
        All twice, out_x, out_y, out_z;
        std::int64_t fixed = 0;
    };

    // Solves anew what has an outflow below zero, as `fixed_angle` does: all lanes at once, each going on until none of
    // its outflows is negative. By value, so that where nothing is fixed all stay in registers.
    __attribute__((noinline)) Outcome fix(All source, All x, All y, All z, Outcome found) const {
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
                (found.out_x.part[p] < zero) | (found.out_y.part[p] < zero) | (found.out_z.part[p] < zero);
            const Mask active = negative & ((Mask)valid_.part[p] < 0);
            Vector below = part_of(terms.denominator, p);
            Vector above = source.part[p] / 2 * below + a * x.part[p] + b * y.part[p] + c * z.part[p];
            Mask free_x = active, free_y = active, free_z = active;
            Vector twice = found.twice.part[p];
            Vector out_x = active ? found.out_x.part[p] : zero;
            Vector out_y = active ? found.out_y.part[p] : zero;
            Vector out_z = active ? found.out_z.part[p] : zero;
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
            found.twice.part[p] = active ? twice : found.twice.part[p];
            found.out_x.part[p] = active ? out_x : found.out_x.part[p];
            found.out_y.part[p] = active ? out_y : found.out_y.part[p];
            found.out_z.part[p] = active ? out_z : found.out_z.part[p];
            const Mask fixed = active & ~(free_x & free_y & free_z);
            for (int lane = 0; lane < width_of<Vector>; ++lane) found.fixed += fixed[lane] != 0 ? 1 : 0;
        }
        return found;
    }

    const BlockSweep& block_;
    All twice_a_, twice_b_, twice_c_, next_, twice_external_, valid_;
    All twice_source_[moments];
    Vector4 half_flux_[angle_lanes];  ///< moments by lane
    All half_weight_;                 ///< the first of them, lanes side by side
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
