#pragma once

// Vectors of doubles, and the lanes of all angles of a block in some of them. Each file that includes this is compiled
// for another instruction set, so that everything here is in an unnamed namespace and calls no function of the standard
// library: the linker must not take one's copy for another's.

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace narrows {
namespace {

using Vector2 = double __attribute__((vector_size(16)));
using Vector4 = double __attribute__((vector_size(32)));
using Vector8 = double __attribute__((vector_size(64)));

template <class Vector>
inline constexpr int width_of = sizeof(Vector) / sizeof(double);

// Vectors anywhere among doubles. Not by memcpy, through which compilers keep in memory what registers could hold.
template <class Vector>
struct Anywhere {
    using Type __attribute__((aligned(8), may_alias)) = Vector;
};
template <class Vector>
inline Vector load(const double* from) {
    return *reinterpret_cast<const typename Anywhere<Vector>::Type*>(from);
}
template <class Vector>
inline void store(double* to, const Vector& vector) {
    *reinterpret_cast<typename Anywhere<Vector>::Type*>(to) = vector;
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

}  // namespace
}  // namespace narrows
