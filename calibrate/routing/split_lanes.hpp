#pragma once

#include <cstddef>

#include "calibrate/routing/route_plan.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace narrows {

/// Appends the lanes of `words` where `away` is not zero to `*others` and the rest to `*own`, in order, and moves both
/// on. Up to eight words behind each are overwritten. Calls `fetch` for every new own word, and perhaps for `filler`.
template <class Fetch>
inline void split_lanes(const Lanes& words, const Lanes& away, [[maybe_unused]] Word filler, Word*& own, Word*& others,
                        const Fetch& fetch) {
#if defined(__AVX512F__)
    const auto vector = reinterpret_cast<__m512i>(words);
    const auto flags = reinterpret_cast<__m512i>(away);
    const __mmask8 leaves = _mm512_test_epi64_mask(flags, flags);
    _mm512_storeu_si512(others, _mm512_maskz_compress_epi64(leaves, vector));
    const __m512i fillers = _mm512_set1_epi64(static_cast<long long>(filler));
    _mm512_storeu_si512(own, _mm512_mask_compress_epi64(fillers, static_cast<__mmask8>(~leaves), vector));
    // Always eight: a few useless fetches of one near entry cost less than an unpredictable branch.
    for (std::size_t lane = 0; lane < line_words; ++lane) fetch(own[lane]);
    const int leaving = __builtin_popcount(leaves);
    others += leaving;
    own += static_cast<int>(line_words) - leaving;
#else
    for (std::size_t lane = 0; lane < line_words; ++lane) {
        const Word word = words[lane];
        const bool leaves = away[lane] != 0;
        *others = word;
        *own = word;
        if (!leaves) fetch(word);
        others += leaves ? 1 : 0;
        own += leaves ? 0 : 1;
    }
#endif
}

}  // namespace narrows
