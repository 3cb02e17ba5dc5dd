#pragma once

#include <algorithm>
#include <cstdint>

#include "calibrate/ranks/mapping.hpp"
#include "calibrate/routing/route_plan.hpp"

namespace narrows {

/// RandomAccess's table: entry i holds i until it is updated.
class UpdateTable {
  public:
    UpdateTable(std::uint64_t words, PageSize pages)
        : mapping_(words * sizeof(Word), pages, Contents::anything), words_(words) {}

    Word* data() const { return reinterpret_cast<Word*>(mapping_.data()); }
    std::uint64_t words() const { return words_; }

    /// Gives entries [first, last) their first values. Fresh pages come to lie near the calling thread.
    void fill(std::uint64_t first, std::uint64_t last) const {
        for (std::uint64_t entry = first; entry < last; ++entry) data()[entry] = entry;
        touch_pages(reinterpret_cast<std::byte*>(data() + first), reinterpret_cast<std::byte*>(data() + last));
    }

  private:
    Mapping mapping_;
    std::uint64_t words_;
};

/// Applies updates to the entries that their low bits name.
class UpdateSink {
  public:
    UpdateSink(Word* table, Word index_mask) : table_(table), mask_(index_mask) {}
    void prefetch(Word update) const { __builtin_prefetch(&table_[update & mask_], 1); }
    void apply(Word update) const { table_[update & mask_] ^= update; }

  private:
    Word* table_;
    Word mask_;
};

/// The updates of one rank: [first, last) of the run's stream.
struct UpdateShare {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t count() const { return last - first; }
};

/// Shares of `updates` updates that differ by at most one.
inline UpdateShare update_share(std::uint64_t updates, int ranks, int rank) {
    const auto count = static_cast<std::uint64_t>(ranks);
    const auto begin = [&](int r) {
        const auto before = static_cast<std::uint64_t>(r);
        return before * (updates / count) + std::min(before, updates % count);
    };
    return {begin(rank), begin(rank + 1)};
}

}  // namespace narrows
