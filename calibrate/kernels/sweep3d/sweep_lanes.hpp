#pragma once

// The sweep with the angles of a block side by side in vectors. Each file that includes this is compiled for another
// instruction set, so that everything here is in an unnamed namespace and calls no function of the standard library:
// the linker must not take one's copy for another's.

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "calibrate/kernels/sweep3d/fixed_angle.hpp"
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

// Adds the lanes' sums of four vectors to four doubles: transposing halves while adding.
inline void add_sums(double* to, Vector2 a, Vector2 b, Vector2 c, Vector2 d) {
    const Vector2 ab = __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
    const Vector2 cd = __builtin_shufflevector(c, d, 0, 2) + __builtin_shufflevector(c, d, 1, 3);
    store(to, load<Vector2>(to) + ab);
    store(to + 2, load<Vector2>(to + 2) + cd);
}
#if defined(__AVX__)
inline void add_sums(double* to, Vector4 a, Vector4 b, Vector4 c, Vector4 d) {
    const Vector4 ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Vector4 cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
    const Vector4 all = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    store(to, load<Vector4>(to) + all);
}
#endif
#if defined(__AVX512F__)
inline void add_sums(double* to, Vector8 a, Vector8 b, Vector8 c, Vector8 d) {
    const Vector8 ab = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
                       __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    const Vector8 cd = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14) +
                       __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
    const Vector8 both = __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 8, 9, 10, 11) +
                         __builtin_shufflevector(ab, cd, 4, 5, 6, 7, 12, 13, 14, 15);
    const Vector4 all =
        __builtin_shufflevector(both, both, 0, 1, 4, 5) + __builtin_shufflevector(both, both, 2, 3, 6, 7);
    store(to, load<Vector4>(to) + all);
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
        a_ = lanes(terms.a_of_d);
        b_ = lanes(terms.b_of_d);
        c_ = lanes(terms.c_of_d);
        next_ = lanes(terms.next_of_x);
        const AngleLanes* source = reinterpret_cast<const AngleLanes*>(&terms.source_of_d);
        const AngleLanes* flux = reinterpret_cast<const AngleLanes*>(&terms.flux);
        for (int m = 0; m < moments; ++m) {
            source_[m] = lanes(source[m]);
            flux_[m] = lanes(flux[m]);
        }
        valid_ = All::from(reinterpret_cast<const double*>(&terms.valid));
    }

    std::int64_t run() {
        for (int k = 0; k < block_.nk; ++k) {
            const double* in_j = block_.in_j + std::ptrdiff_t{k} * block_.ni * block_.angles;
            double* out_j = block_.out_j + std::ptrdiff_t{k} * block_.ni * block_.angles;
            for (int i = 0; i < block_.ni; ++i) All::from(in_j + i * block_.angles).to(block_.row + i * angle_lanes);
            for (int j = 0; j < block_.nj; ++j) row(j, k);
            // Each store reaches beyond its angles, into what the next one writes.
            for (int i = 0; i < block_.ni; ++i) All::from(block_.row + i * angle_lanes).to(out_j + i * block_.angles);
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
        double* y_face = block_.row + from * angle_lanes;
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
        All solved, out_x, out_y, out_z, source;
        for (int p = 0; p < n; ++p) {
            Vector s = source_[0].part[p] * before[0];
            if constexpr (external)
                s += load<Vector>(reinterpret_cast<const double*>(&block_.terms->external_of_d) + p * width_of<Vector>);
            for (int m = 1; m < moments; ++m) s += source_[m].part[p] * before[m];
            const Vector r = s + b_.part[p] * y.part[p] + c_.part[p] * z.part[p];
            source.part[p] = s;
            solved.part[p] = r + a_.part[p] * x.part[p];
            out_x.part[p] = (r + r) + next_.part[p] * x.part[p];
            out_y.part[p] = (solved.part[p] + solved.part[p]) - y.part[p];
            out_z.part[p] = (solved.part[p] + solved.part[p]) - z.part[p];
        }
        if constexpr (fixups) {
            Vector signs = any_of(out_x.part[0], out_y.part[0], out_z.part[0]);
            bool negative = any_sign(signs, valid_.part[0]);
            for (int p = 1; p < n; ++p) {
                signs = any_of(out_x.part[p], out_y.part[p], out_z.part[p]);
                negative |= any_sign(signs, valid_.part[p]);
            }
            if (__builtin_expect(negative, false)) fix(source, x, y, z, solved, out_x, out_y, out_z);
        }
        x = out_x;
        out_y.to(y_face);
        out_z.to(z_face);
        add_flux(flux, solved);
    }

    __attribute__((always_inline)) void add_flux(double* flux, const All& solved) const {
        Vector shares[moments];
        for (int m = 0; m < moments; ++m) {
            shares[m] = flux_[m].part[0] * solved.part[0];
            for (int p = 1; p < n; ++p) shares[m] += flux_[m].part[p] * solved.part[p];
        }
        if constexpr (moments == 1) {
            *flux += sum(shares[0]);
        } else {
            add_sums(flux, shares[0], shares[1], shares[2], shares[3]);
        }
    }

    /// The lanes one by one.
    struct Spread {
        double at[angle_lanes] = {};
        explicit Spread(const All& lanes) { lanes.to(at); }
        All gathered() const { return All::from(at); }
    };

    // Solves anew what has an outflow below zero.
    __attribute__((noinline, cold)) void fix(const All& source, const All& x, const All& y, const All& z, All& solved,
                                             All& out_x, All& out_y, All& out_z) {
        const auto term = [](const AngleLanes& lanes, int m) { return reinterpret_cast<const double*>(&lanes)[m]; };
        const AngleTerms& terms = *block_.terms;
        const Spread sources(source), xs(x), ys(y), zs(z);
        Spread flux(solved), next_x(out_x), next_y(out_y), next_z(out_z);
        for (int m = 0; m < block_.angles; ++m) {
            if (!(next_x.at[m] < 0 || next_y.at[m] < 0 || next_z.at[m] < 0)) continue;
            const double denominator = term(terms.denominator, m);
            const CellAngle cell = fixed_angle(sources.at[m] * denominator, term(terms.a, m), term(terms.b, m),
                                               term(terms.c, m), denominator, {xs.at[m], ys.at[m], zs.at[m]});
            flux.at[m] = cell.flux;
            next_x.at[m] = cell.out_x;
            next_y.at[m] = cell.out_y;
            next_z.at[m] = cell.out_z;
            fixed_ += cell.fixed ? 1 : 0;
        }
        solved = flux.gathered();
        out_x = next_x.gathered();
        out_y = next_y.gathered();
        out_z = next_z.gathered();
    }

    const BlockSweep& block_;
    All a_, b_, c_, next_, valid_;
    All source_[moments];
    All flux_[moments];
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
