#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/path/path.hpp"

namespace narrows {

/// How ranks combine a vector so that each of them ends with the result.
/// `network`: the protocol's path is a whole allreduce, through a network that combines.
enum class AllreduceAlgorithm { ring, tree, recursive_doubling, network };

/// Who sends to whom in a round: every rank to the next one; up or down a binomial tree; each with the one whose number
/// differs by `distance`; the ranks beyond the largest power of two with their neighbours, before that and after it.
enum class Partners { next, up, down, exchange, fold, unfold };

/// Equal rounds of an allreduce: every rank that takes part sends a message and waits for one.
struct Round {
    double times = 1;
    Data payload;  ///< of the largest message
    Partners partners = Partners::next;
    std::int64_t distance = 1;  ///< between the ranks that talk, in rank numbers
    bool combines = false;      ///< what arrives is added to what is there
};

/// The messages of a round of `ranks`, from and to ranks below 2^20. Source: as `allreduce_rounds`.
std::vector<std::pair<int, int>> messages_of(const Round& round, std::int64_t ranks);

/// The rounds on the critical path.
///
/// Statement: ring: 2 (p - 1) rounds of ceil(n / p) bytes, the first p - 1 combine.
///            tree: ceil(lg p) rounds of n up a binomial tree, which combine, and as many down.
///            recursive doubling: floor(lg p) rounds of n, which combine; one before and one after when p is no power
///            of two, of which the first combines.
///            network: one round of n, whatever p; what combines is in the path.
/// Symbols:   p nodes, at least 1 (std::logic_error); n payload in bytes. One node needs none but by a network.
/// Source:    Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", 2005
///            (binomial trees, recursive doubling with its steps for other numbers); Patarasuk and Yuan, "Bandwidth
///            optimal all-reduce algorithms", 2009 (ring). kumar2008 Section 3.3 (network).
/// Range:     all nodes start together; a message keeps both its ranks from when both are there until it has arrived.
/// Test:      tests/model/messages/test_allreduce.cpp (a recurrence over ranks, hand values, limits)
std::vector<Round> allreduce_rounds(AllreduceAlgorithm algorithm, std::int64_t nodes, Data payload);

/// Time of a message of a round, by the number of the round.
using MessageTime = std::function<Breakdown(Data payload, std::size_t round)>;

/// Time of an allreduce.
///
/// Statement: sum over rounds of times * (t(payload, round) + combines * payload * gamma).
/// Symbols:   t time of a message; gamma time to combine a byte.
/// Source:    the same paper, which has t(n) = alpha + n beta; here t is any protocol's path time.
/// Terms:     those of the messages, and `combine`. Range, test: as above.
Breakdown allreduce_time(const std::vector<Round>& rounds, const MessageTime& message, TimePerByte combine);

}  // namespace narrows
