#pragma once

#include <cstdint>
#include <vector>

#include "model/messages/round.hpp"

namespace narrows {

/// How ranks combine a vector so that each of them ends with the result.
/// `network`: the protocol's path is a whole allreduce, through a network that combines.
enum class AllreduceAlgorithm { ring, tree, recursive_doubling, network };

/// The rounds on the critical path.
///
/// Statement: ring: 2 (p - 1) rounds of ceil(n / p) bytes, the first p - 1 combine.
///            tree: ceil(lg p) rounds of n up a binomial tree, which combine, and as many down.
///            recursive doubling: floor(lg p) rounds of n, which combine; one before and one after when p is no power
///            of two, of which the first combines.
///            network: one round of n without moves, whatever p; what combines is in the path.
/// Symbols:   p ranks, at least 1 (std::logic_error); n payload in bytes. One rank needs none but by a network.
/// Source:    Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", 2005
///            (binomial trees, recursive doubling with its steps for other numbers); Patarasuk and Yuan, "Bandwidth
///            optimal all-reduce algorithms", 2009 (ring). kumar2008 Section 3.3 (network).
/// Test:      tests/model/messages/test_allreduce.cpp (a recurrence over ranks, hand values, limits)
std::vector<Round> allreduce_rounds(AllreduceAlgorithm algorithm, std::int64_t ranks, Data payload);

}  // namespace narrows
