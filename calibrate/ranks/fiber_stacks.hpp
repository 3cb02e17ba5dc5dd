#pragma once

#include <cstddef>

#include "calibrate/ranks/mapping.hpp"
#include "calibrate/ranks/sanitizer.hpp"

namespace narrows {

/// Bytes of a fiber's stack unless somebody asks for others: instrumented frames need many more.
inline constexpr std::size_t default_stack_bytes = sanitized ? std::size_t{128} << 10 : std::size_t{8} << 10;

/// Runs of at most this many fibers get guard pages; each costs two of the kernel's about 65,530 mappings.
inline constexpr int most_guarded_stacks = 1024;

/// The stacks of all fibers in one mapping. The lowest line of each is a canary; the addresses of the stacks' tops are
/// staggered, lest they all fall in the same sets of the caches.
class FiberStacks {
  public:
    /// Stacks for `count` fibers of `bytes` bytes each (rounded up to a cache line, at least 4 KiB).
    FiberStacks(int count, std::size_t bytes, PageSize pages);

    /// One past the highest byte of a stack, aligned to a cache line.
    std::byte* top(int fiber) const { return bottom(fiber) + bytes_; }
    /// The lowest byte of a stack, where its canary is.
    std::byte* bottom(int fiber) const { return mapping_.data() + first_ + static_cast<std::size_t>(fiber) * stride_; }
    std::size_t bytes() const { return bytes_; }

    /// Writes a stack's canary, which touches the stack's lowest page.
    void arm(int fiber);
    /// False when the fiber has written over its canary, that is, has overrun its stack.
    bool intact(int fiber) const;

  private:
    std::size_t bytes_;
    std::size_t stride_;
    std::size_t first_;
    Mapping mapping_;
};

}  // namespace narrows
