#pragma once

#include <cstdint>

namespace narrows {

/// One dimension of a grid: a path of `size` nodes, or a ring of three or more. A ring of two would be a path with its
/// link doubled; machines have one link there, so it is made a path.
struct Line {
    int size = 1;
    bool ring = false;

    Line(int nodes, bool wraps) : size(nodes), ring(wraps && nodes > 2) {}

    std::int64_t links() const { return ring ? size : size - 1; }
    int degree() const { return size == 1 ? 0 : (size == 2 ? 1 : 2); }
    int diameter() const { return ring ? size / 2 : size - 1; }
    /// Distance of two nodes, the mean over all size² ordered pairs: (k²−1)/3k on a path, (k²−(k odd))/4k on a ring.
    double mean_distance() const {
        const double k = size;
        if (ring) return size % 2 == 0 ? k / 4 : (k * k - 1) / (4 * k);
        return (k * k - 1) / (3 * k);
    }

    /// Links that cutting the line into two connected parts crosses. Precondition of this and the next three: size > 1.
    int crossing() const { return ring ? 2 : 1; }
    double smaller_half() const { return size / 2; }  // NOLINT(bugprone-integer-division): rounds down
    double larger_half() const { return size - smaller_half(); }
    /// φ of the line times its size: crossing · k / (⌊k/2⌋⌈k/2⌉).
    double scaled_phi() const { return crossing() * static_cast<double>(size) / (smaller_half() * larger_half()); }
};

}  // namespace narrows
