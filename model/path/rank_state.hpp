#pragma once

#include <cstdint>

#include "model/quantity.hpp"

namespace narrows {

/// Memory of a rank that keeps a queue for each other rank: of all ranks together it is that times N, O(N^2).
///
/// Statement: (N - 1) * places * record.
/// Symbols:   N ranks, at least 1; `places` of a queue; `record` bytes of a place, 16 B for kumar2007.
/// Source:    kumar2007 Section 3.2 (N - 1 queues in each local store, N (N - 1) in total).
/// Test:      tests/model/path/test_rank_state.cpp
Data pairwise_state(std::int64_t ranks, int places, Data record);

/// Memory of a rank that keeps a record for each rank of its address space, of which one stands for all others: those
/// behind the gateway. It does not grow with the system.
///
/// Statement: (min(N, L) - 1 + [N > L]) * record: the other ranks nearby, and one for all that are not.
/// Symbols:   N ranks, L ranks of an address space, both at least 1; `record` bytes, 64 B for pakin2009.
/// Source:    pakin2009 Cell Messaging Layer (an array element for each local rank and one for all others).
/// Test:      tests/model/path/test_rank_state.cpp
Data gateway_state(std::int64_t ranks, std::int64_t local_ranks, Data record);

}  // namespace narrows
