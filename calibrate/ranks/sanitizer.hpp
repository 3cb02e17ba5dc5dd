#pragma once

#include <cstddef>

// What the sanitizers must be told when a thread changes stacks. Without them everything here is empty.

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define NARROWS_ADDRESS_SANITIZER 1
#else
#define NARROWS_ADDRESS_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#define NARROWS_THREAD_SANITIZER 1
#else
#define NARROWS_THREAD_SANITIZER 0
#endif

namespace narrows {

/// True in a build whose instrumentation makes frames larger and fibers dearer.
inline constexpr bool sanitized = NARROWS_ADDRESS_SANITIZER != 0 || NARROWS_THREAD_SANITIZER != 0;

/// One stack as the sanitizers see it: a fiber's, or that of the thread that schedules fibers.
struct SanitizedStack {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    void* fake_stack = nullptr;
    void* fiber = nullptr;

    /// Describes the stack of a new fiber.
    void create([[maybe_unused]] const void* lowest, [[maybe_unused]] std::size_t size) {
        bottom = lowest;
        bytes = size;
#if NARROWS_THREAD_SANITIZER
        fiber = __tsan_create_fiber(0);
#endif
    }
    /// Describes the calling thread's own stack.
    void adopt_current() {
#if NARROWS_THREAD_SANITIZER
        fiber = __tsan_get_current_fiber();
#endif
    }
    void destroy() {
#if NARROWS_THREAD_SANITIZER
        if (fiber != nullptr) __tsan_destroy_fiber(fiber);
#endif
        fiber = nullptr;
    }
};

/// Fresh memory at an address where a fiber's stack may have been: forget the frames that were there.
inline void forget_frames([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if NARROWS_ADDRESS_SANITIZER
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
#endif
}

/// To be called right before leaving `from` for `to`; `last` when `from` will never run again.
inline void before_switch([[maybe_unused]] SanitizedStack& from, [[maybe_unused]] SanitizedStack& to,
                          [[maybe_unused]] bool last = false) {
#if NARROWS_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack, to.bottom, to.bytes);
#endif
#if NARROWS_THREAD_SANITIZER
    __tsan_switch_to_fiber(to.fiber, 0);
#endif
}

/// To be called first thing after arriving on `to` from `from`, whose place and size are learnt here.
inline void after_switch([[maybe_unused]] SanitizedStack& to, [[maybe_unused]] SanitizedStack& from) {
#if NARROWS_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(to.fake_stack, &from.bottom, &from.bytes);
#endif
}

}  // namespace narrows
