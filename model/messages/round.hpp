#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/quantity.hpp"

namespace narrows {

/// Who sends to whom: places are numbered with digits as in a grid, and the rank at each sends one message to the place
/// whose digit is `step` further on.
struct Move {
    std::int64_t places = 1;  ///< that take part
    std::int64_t stride = 1;  ///< places between neighbours in the digit
    std::int64_t size = 1;    ///< values of the digit
    std::int64_t step = 0;    ///< less than `size` either way
    bool wraps = true;        ///< else no message passes the digit's end
    std::int64_t every = 1;   ///< ranks between one place and the next
    std::int64_t folded = 0;  ///< so many of the first places are ranks 1, 3, 5, ...; the rest follow them

    std::int64_t rank(std::int64_t place) const { return every * (place < folded ? 2 * place + 1 : place + folded); }
    /// Places whose ranks are below this one.
    std::int64_t places_below(std::int64_t rank) const {
        const std::int64_t number = every == 1 ? rank : (rank + every - 1) / every;
        return std::min(places, number < 2 * folded ? number / 2 : number - folded);
    }
    /// -1 where the place sends nothing.
    std::int64_t target(std::int64_t place) const {
        const std::int64_t digit = stride == 1 && size >= places ? place : place / stride % size;
        std::int64_t next = digit + step;
        if (next < 0 || next >= size) {
            if (!wraps) return -1;
            next += next < 0 ? size : -size;
        }
        const std::int64_t found = place + (next - digit) * stride;
        return found < places ? found : -1;
    }
};

/// A message from rank to rank.
struct RankPair {
    std::int64_t from = 0;
    std::int64_t to = 0;
    Data payload;

    friend bool operator==(const RankPair&, const RankPair&) = default;
};

/// Messages that go at once, from every rank by each of the moves; a phase is rounds one after the other.
struct Round {
    double times = 1;  ///< such rounds in a row
    Data payload;      ///< of the largest message
    std::vector<Move> moves;
    bool combines = false;             ///< what arrives is added to what is there
    bool rotates = false;              ///< the step of the one move grows by one from each of the `times` to the next
    std::vector<RankPair> pairs = {};  ///< further messages, none larger than the payload
};

/// Calls `visit(from, to, payload)` of every message of the round whose ranks are below `most`.
template <class Visit>
void for_each_message(const Round& round, std::int64_t most, Visit visit) {
    for (const Move& move : round.moves) {
        for (std::int64_t place = 0; place < move.places; ++place) {
            const std::int64_t from = move.rank(place);
            if (from >= most) break;
            const std::int64_t target = move.target(place);
            if (target >= 0 && move.rank(target) < most) visit(from, move.rank(target), round.payload);
        }
    }
    for (const RankPair& pair : round.pairs) {
        if (pair.from < most && pair.to < most) visit(pair.from, pair.to, pair.payload);
    }
}

/// Of each round, the most messages that a rank sends and receives; of a rank that sends to itself both count.
/// Rounds of rotations have the same in each. Test: tests/model/messages/test_round_loads.cpp
std::int64_t messages_of_a_rank(const Round& round);

/// The rounds of ranks that send and receive no more than `at_once` messages at the same time.
///
/// Statement: a round of m messages of a rank becomes ceil(m / at_once) rounds of one message each way, one after the
///            other; only in the last of them what came is combined.
/// Source:    derived; the project's kernels have sends that may wait for their receives, so that of two ranks which
///            exchange one sends first and the other then.
/// Symbols:   m by `messages_of_a_rank`, `at_once` at least 1.
/// Range:     of ranks in longer chains of waiting ones the shortest: those of a ring of even length.
/// Test:      tests/model/messages/test_round_loads.cpp
std::vector<Round> in_turns(const std::vector<Round>& rounds, std::int64_t at_once);

/// Pairwise exchange: in round k of p - 1 rank i sends to i + k and receives from i - k, both modulo p.
///
/// Source:    Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", 2005,
///            (all-to-all of long messages, any number of ranks). Symbols: p ranks, `payload` of each pair.
/// Test:      tests/model/messages/test_round_loads.cpp
std::vector<Round> all_to_all_rounds(std::int64_t ranks, Data payload);

/// The neighbours of a rank in a grid, the first dimension fastest: one place on along each dimension both ways, then
/// two, none twice, and across the ends of the dimensions that wrap; at the ends of the others a rank has fewer. All
/// messages go at once.
/// `neighbours` at most `neighbours_in` (std::logic_error). Test: as above
Round halo_round(const std::vector<int>& grid, const std::vector<bool>& wraps, int neighbours, Data payload);
std::int64_t neighbours_in(const std::vector<int>& grid);

/// These messages in rounds, in each of which a rank sends one and receives one at most: the largest first, of
/// equals those to near ranks, each in the first round that has none of its ranks yet and none of more than twice its
/// bytes. Those from a rank to itself are left out. Source: derived (edge colouring by first fit: at most 2 d - 1
/// rounds of sizes within a factor of two, d messages of a rank each way). Test: as above
std::vector<Round> matched_rounds(std::vector<RankPair> messages);

/// The rounds of a group, each by every group of a grid of ranks: `size` ranks that are `stride` apart, of `ranks` in
/// all. `ranks` a multiple of their product (std::logic_error). Test: as above (enumeration)
std::vector<Round> of_groups(const std::vector<Round>& rounds, std::int64_t size, std::int64_t stride,
                             std::int64_t ranks);

}  // namespace narrows
