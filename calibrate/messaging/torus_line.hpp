#pragma once

#include <cstdint>

namespace narrows {

/// A line of ranks `first + i·stride`, i < size, closed to a ring, as a torus has them.
struct TorusLine {
    /// Whether it is a line of two or more of `ranks` ranks.
    bool fits(int ranks) const {
        return first >= 0 && stride >= 1 && size >= 2 &&
               first + static_cast<std::int64_t>(stride) * (size - 1) < static_cast<std::int64_t>(ranks);
    }
    /// Whether `rank` is on it. Precondition: `fits`.
    bool has(int rank) const { return rank >= first && (rank - first) % stride == 0 && (rank - first) / stride < size; }

    std::int32_t first = 0;
    std::int32_t stride = 1;
    std::int32_t size = 1;

    int after(int rank) const { return first + ((rank - first) / stride + 1) % size * stride; }
};

}  // namespace narrows
