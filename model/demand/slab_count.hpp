#pragma once

#include <cstdint>
#include <vector>

namespace narrows {

/// Messages over the cuts across a dimension of a grid, each way: a line is cut once at every place, a ring in halves.
/// A message takes O(1), whatever the size.
class SlabCount {
  public:
    SlabCount(int size, bool ring)
        : size_(size), ring_(ring), out_(static_cast<std::size_t>(size) + 1), in_(static_cast<std::size_t>(size) + 1) {}

    void add(int from, int to, std::int64_t messages);
    /// Over a link of the fullest cut, of those of one line of the grid: a ring's halves have two.
    double fullest() const;

  private:
    /// Steps from one cut to the next of how many messages cross it. A line's cut `c` has c places before it, a ring's
    /// half `c` begins with place c.
    using Steps = std::vector<std::int64_t>;

    void add_leaving(Steps& steps, int from, int to, std::int64_t messages) const;

    int size_;
    bool ring_;
    Steps out_, in_;
};

}  // namespace narrows
