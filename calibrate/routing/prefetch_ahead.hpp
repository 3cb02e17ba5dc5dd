#pragma once

#include <cstddef>

namespace narrows {

/// Brings memory near in small helpings while something else is being done, so that the misses overlap with work.
/// Up to two ranges, one after the other.
class PrefetchAhead {
  public:
    PrefetchAhead() = default;

    /// Adds `bytes` bytes at `begin`; at most two ranges.
    void add(const void* begin, std::size_t bytes) {
        Range& range = first_.at == nullptr ? first_ : second_;
        range.at = static_cast<const std::byte*>(begin);
        range.end = range.at + bytes;
    }

    /// Fetches the next `lines` cache lines.
    void step(int lines) {
        for (int i = 0; i < lines; ++i) {
            if (first_.at >= first_.end) {
                first_ = second_;
                second_ = {};
                if (first_.at == nullptr) return;
            }
            // Into the second level: the first one is full of what is being worked on.
            __builtin_prefetch(first_.at, 0, 2);
            first_.at += line;
        }
    }

  private:
    static constexpr std::size_t line = 64;
    struct Range {
        const std::byte* at = nullptr;
        const std::byte* end = nullptr;
    };
    Range first_;
    Range second_;
};

}  // namespace narrows
