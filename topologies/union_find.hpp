#pragma once

#include <numeric>
#include <vector>

namespace narrows {

/// A partition of 0 … count−1 into sets that are joined pair by pair (Tarjan 1975, with path halving). The number of a
/// set is that of one of its members.
class UnionFind {
  public:
    explicit UnionFind(int count) : parent_(static_cast<std::size_t>(count)) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    int find(int member) {
        while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
        return member;
    }

    /// Joins the sets of both; that of `kept` gives the number. Whether they were two.
    bool join(int joined, int kept) {
        const int root = find(joined), other = find(kept);
        parent_[root] = other;
        return root != other;
    }

    /// Adds a set of one and gives its number.
    int add() {
        parent_.push_back(static_cast<int>(parent_.size()));
        return parent_.back();
    }

  private:
    std::vector<int> parent_;
};

}  // namespace narrows
