#pragma once

#include <cstring>

#include "calibrate/transport/word.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace narrows {

/// Copies one cache line to `to`, which is aligned to it, past the caches where the processor can: the line is not read
/// first, and a store that would miss does not hold up those behind it. For the storing thread's own later reading
/// only, as such stores are not ordered with others.
inline void store_line(Word* to, const Word* from) {
#if defined(__AVX512F__) && !defined(__SANITIZE_THREAD__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#else
    std::memcpy(to, from, line_words * sizeof(Word));
#endif
}

}  // namespace narrows
