#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/messages/round.hpp"

namespace narrows {

/// An algorithm of a collective. A new one is a row of `collective_algorithms`.
struct CollectiveAlgorithm {
    std::string_view collective;  ///< `all-to-all`
    std::string_view name;        ///< `bruck`
    /// The rounds of so many ranks, at least 1; `bytes` of each pair for all-to-all, of each rank's block for
    /// allgather, of the whole vector for the others.
    std::vector<Round> (*rounds)(std::int64_t ranks, Data bytes);
    std::string_view source;
    std::string_view estimate = "rounds on the critical path";  ///< how the time follows, for readers
    /// Of nodes of so many ranks each, above one, in place of `rounds`; null: nodes do not matter to it.
    std::vector<Round> (*by_nodes)(std::int64_t ranks, Data bytes, std::int64_t node) = nullptr;
};

/// All of them, those of one collective together, its default first.
///
/// Statement: all-to-all  pairwise: p - 1 rounds of n, to i + k; bruck: ceil(lg p), of n for each block whose number
///            has the bit; linear: one round of p - 1 messages. allreduce   recursive-doubling: floor(lg p) of n, which
///            combine; one before and one after when p is no power of two, of which the first combines; ring: 2 (p - 1)
///            of ceil(n / p), the first p - 1 combine; tree: ceil(lg p) of n up a binomial tree, which combine, and as
///            many down; rabenseifner: 2 lg p rounds, n/2 n/4 ... combined and back, one of n before and behind where p
///            is no power of two. broadcast   binomial: ceil(lg p) of n; scatter-allgather: ceil(lg p) that halve n,
///            then p - 1 of n/p. allgather   ring: p - 1 of n; bruck: ceil(lg p), n 2n 4n ..., the last what is left.
///            reduce-scatter  pairwise: p - 1 of n/p, to i + k, combined; ring: the same to i + 1. barrier
///            dissemination: ceil(lg p) empty ones. node-first  within nodes of r consecutive ranks up a binomial tree
///            (allreduce, allgather), then among one rank a node as the first algorithm of p / r ranks, then within
///            nodes down a binomial tree: allreduce and broadcast n each; allgather up n 2n 4n ..., across r n, down p
///            n.
/// Source:    Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in MPICH", 2005;
///            Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms", 2009 (ring); Bruck et al. 1997; van de
///            Geijn 1994 (scatter-allgather); Hensgen, Finkel and Manber 1988 (dissemination).
/// Range:     any p.
/// Test:      tests/model/messages/test_collective_rounds.cpp (what each rank knows at the end, and bytes),
///            test_allreduce.cpp (a recurrence over ranks)
std::span<const CollectiveAlgorithm> collective_algorithms();

/// The algorithm of this name, the collective's first for an empty one. InputError with a suggestion for an unknown
/// name; a collective without algorithms is a std::logic_error.
const CollectiveAlgorithm& collective_algorithm(std::string_view collective, std::string_view name);

/// Its rounds, of at least one rank (std::logic_error), so many consecutive ones of which are a node; where they do not
/// fill nodes, their greatest common divisor are.
std::vector<Round> collective_rounds(std::string_view collective, std::string_view algorithm, std::int64_t ranks,
                                     Data bytes, std::int64_t ranks_per_node = 1);

}  // namespace narrows
