#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace narrows {

// What processors do in instructions of their own.

/// Tells the processor that this thread spins, so that its sibling runs faster and a change is seen sooner.
inline void spin_pause() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Cycles of the processor's time stamp counter; nanoseconds where there is none.
inline std::uint64_t time_stamp() {
#if defined(__x86_64__)
    return __rdtsc();
#else
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
#endif
}

}  // namespace narrows
