#pragma once

#include <numeric>
#include <vector>

namespace narrows {

/// A partition of 0 … count−1 into sets that are joined pair by pair (Tarjan 1975, with path halving).
class UnionFind {
  public:
    explicit UnionFind(int count) : parent_(static_cast<std::size_t>(count)), sets_(count) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    /// The member that stands for its set.
    int find(int member) {
        while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
        return member;
    }

    /// Joins the sets of both, for which the one that stood for that of `kept` stands then. Whether they were two.
    bool join(int joined, int kept) {
        const int root = find(joined), other = find(kept);
        parent_[root] = other;
        if (root != other) --sets_;
        return root != other;
    }

    /// Adds a set of one new member, which it returns.
    int add() {
        parent_.push_back(static_cast<int>(parent_.size()));
        ++sets_;
        return parent_.back();
    }

    int sets() const { return sets_; }

    /// By member, the number of its set: 0 … sets−1, in the order of the first members.
    std::vector<int> numbers() {
        std::vector<int> of_root(parent_.size(), -1), number(parent_.size());
        for (int member = 0, next = 0; member < std::ssize(number); ++member) {
            int& set = of_root[find(member)];
            if (set < 0) set = next++;
            number[member] = set;
        }
        return number;
    }

  private:
    std::vector<int> parent_;
    int sets_;
};

}  // namespace narrows
