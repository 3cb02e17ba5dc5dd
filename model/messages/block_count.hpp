#pragma once

#include <cstdint>
#include <optional>

#include "model/messages/round_loads.hpp"

namespace narrows {

/// The farthest and fullest of a round's messages, of those that leave their node and of those that stay.
struct FullestLoads {
    std::optional<MessageLoads> leaves, stays;
};

/// Those of a round of ranks that lie in order on the first nodes of a network of blocks.
///
/// Statement: of every node and block the messages out, in and inside by `messages_between`; of blocks that repeat, the
///            first.
/// Source:    derived: a move is two shifts of places whose numbers lie in an interval modulo stride * size.
/// Range:     `network.in_blocks()`, no `placed.node_of_rank`. O(nodes * moves), O(moves) where blocks repeat; of more
///            than one move beside that O(ranks that do not repeat).
/// Test:      tests/model/messages/test_block_count.cpp (the same messages one by one)
FullestLoads fullest_by_blocks(const Round& round, const RankPlaces& placed, const NodeNetwork& network);

/// Ranks first ... end - 1.
struct RankInterval {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Messages of the move from ranks of one interval to ranks of another. O(1).
std::int64_t messages_between(const Move& move, RankInterval from, RankInterval to);

}  // namespace narrows
