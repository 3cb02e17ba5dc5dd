#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "calibrate/kernels/messages/named_value.hpp"

namespace narrows {

/// Who streams to whom (underwood2008, Section 5.1).
enum class StreamPattern {
    pairs,          ///< the first half of the ranks, each to one of the other half
    bidirectional,  ///< the same, and back at the same time
    cyclic,         ///< rank 0 to all others in turn (Figure 3a)
    block_cyclic,   ///< rank 0 to all others in turn, a block of `stream_block_bytes` each (Figure 4)
    indirect,       ///< rank 0 to others as a vector of random targets says (Figure 3b)
};

/// Data that go to one target before the next has its turn, `block_cyclic`; at least a message.
inline constexpr std::size_t stream_block_bytes = 4096;

/// All of them; the first is the default.
inline constexpr NamesInOrder<5> stream_patterns = {"pairs", "bidirectional", "cyclic", "block-cyclic", "indirect"};
static_assert(stream_patterns.size() == static_cast<std::size_t>(StreamPattern::indirect) + 1);

std::string_view name_of(StreamPattern pattern);

/// The pattern of that name. InputError with a suggestion when there is none.
StreamPattern parse_stream_pattern(std::string_view name);

/// Whether one rank sends to all others.
inline bool from_one(StreamPattern pattern) {
    return pattern != StreamPattern::pairs && pattern != StreamPattern::bidirectional;
}

/// Where a rank's messages go, one after the other, for ever.
class StreamCursor {
  public:
    /// `list`, not empty, outlives this; each of its targets gets `run` messages, at least one, in a row.
    StreamCursor(std::span<const int> list, int run) : list_(list), run_(run) {}

    int next() {
        const int to = list_[at_];
        if (++sent_ == run_) {
            sent_ = 0;
            if (++at_ == list_.size()) at_ = 0;
        }
        return to;
    }

  private:
    std::span<const int> list_;
    int run_;
    int sent_ = 0;
    std::size_t at_ = 0;
};

/// Who sends to whom in a stream among `ranks` ranks, at least 2; the same for all of them.
class StreamRoutes {
  public:
    StreamRoutes(StreamPattern pattern, int ranks);

    bool sends(int rank) const;
    bool receives(int rank) const;
    /// The one that sends to `rank`, which receives.
    int source(int rank) const { return from_one(pattern_) ? 0 : partner_[static_cast<std::size_t>(rank)]; }
    /// All to which `rank`, which sends, may send.
    std::span<const int> targets(int rank) const;
    /// The order in which `rank`, which sends, does so with messages of so many bytes.
    StreamCursor cursor(int rank, std::size_t bytes) const;
    /// Of the first `count` messages that its source sends, those that go to `rank`.
    int messages_to(int rank, int count, std::size_t bytes) const;
    /// Most targets of a rank.
    int most_targets() const { return from_one(pattern_) ? static_cast<int>(others_.size()) : 1; }
    /// Which of its source's targets `rank` is, from 0.
    int number_of(int rank) const { return from_one(pattern_) ? rank - 1 : 0; }

  private:
    StreamPattern pattern_;
    std::vector<int> partner_;
    std::vector<int> others_;
    std::vector<int> indirection_;
};

}  // namespace narrows
