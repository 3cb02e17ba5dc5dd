#pragma once

#include <cstdint>

#include "calibrate/routing/route_plan.hpp"

namespace narrows {

/// The update after `update` in RandomAccess's stream: multiplication by x modulo x^64 + x^2 + x + 1.
constexpr Word next_update(Word update) {
    return (update << 1) ^ ((update >> 63) != 0 ? Word{7} : Word{0});
}

/// The value that the stream has before its update number `position` (from 0) is formed: HPCC's `starts`, for
/// 0 <= position < 2^63. `starts(0)` is 1.
Word stream_start(std::uint64_t position);

/// The stream of updates, eight at a time in HPCC's order.
class UpdateStream {
  public:
    /// The first lane is update number `position`.
    explicit UpdateStream(std::uint64_t position) {
        Word update = stream_start(position);
        for (std::size_t lane = 0; lane < line_words; ++lane) {
            update = next_update(update);
            lanes_[lane] = update;
        }
    }

    const Lanes& lanes() const { return lanes_; }

    /// Goes eight updates ahead: the eight bits shifted out come back times x^2 + x + 1.
    void advance() {
        const Lanes high = lanes_ >> 56;
        lanes_ = (lanes_ << 8) ^ high ^ (high << 1) ^ (high << 2);
    }

  private:
    Lanes lanes_{};
};

}  // namespace narrows
