#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/messages/residuals.hpp"
#include "model/messages/round.hpp"
#include "model/program/expression.hpp"
#include "model/unit.hpp"

namespace narrows {

/// A number that a phase of a program is given.
struct PatternNumber {
    std::string_view name;
    Dimension dimension = Dimension::number;
    std::string_view usual;  ///< without it: an expression; empty: it must be given
    std::string_view help;
    struct Range {
        std::int64_t least = 0;
        std::int64_t most = 0;
    };
    std::optional<Range> whole = {};  ///< of whole numbers alone; else any from 0 on
};

/// Messages that a file lists.
struct RankMessages {
    struct Message {
        std::int64_t from = 0;
        std::int64_t to = 0;
        double amount = 1;  ///< its bytes, in those of the phase
    };
    std::vector<Message> messages;
    std::int64_t largest = 0;  ///< rank
    Origin largest_at;
};

struct Pattern;

/// What a pattern's rounds are made from: the phase's numbers, in SI units, and its ranks.
struct PatternInputs {
    const Pattern* pattern = nullptr;
    std::map<std::string, double, std::less<>> numbers;
    std::vector<int> grid;     ///< of all ranks, the first dimension fastest
    std::optional<int> along;  ///< the one dimension that messages go along, from 0
    std::string algorithm;     ///< empty: the first
    std::shared_ptr<const RankMessages> messages;
    std::int64_t ranks_per_node = 1;

    std::int64_t ranks() const;
    /// Ranks of a group: all, or those along the dimension.
    std::int64_t group() const;
    double number(std::string_view name) const { return numbers.find(name)->second; }
};

/// Rounds one after the other, so many times.
struct PatternRounds {
    std::vector<Round> rounds;
    double times = 1;
    double computes = 1;      ///< of a pattern that computes too: how often, on the critical path
    std::int64_t pieces = 0;  ///< that each rank receives, computes and sends on; 0: it computes once
};

/// What a pattern's file lists: nothing as it has none, `from to`, or `from to amount`.
enum class PatternFile { none, permutation, matrix };

/// Who sends to whom in a phase of a program. A new one is a row of `patterns`.
struct Pattern {
    std::string_view name;
    std::string_view help;
    std::vector<PatternNumber> numbers = {};  ///< `bytes`, `by`, ...
    bool computes = false;                    ///< has the numbers of computing too: time, flops, memory
    bool has_messages = true;                 ///< else it does nothing but compute
    bool has_algorithms = false;              ///< `collective_algorithms` of this name
    bool has_groups = true;                   ///< may go along a dimension
    bool draws = false;                       ///< runs have its rounds in an order by chance
    PatternFile file = PatternFile::none;     ///< that lists its messages
    std::optional<MessagePhase> measured =
        {};  ///< what calibrations measure of such messages; collectives: by algorithm
    PatternRounds (*rounds)(const PatternInputs& inputs) = nullptr;
};

/// All of them, computing alone as the first.
///
/// Statement: uniform: `count` messages from each rank, each to a random other, as that many of the p - 1 rounds of an
///            all-to-all. neighbours: one message to each neighbour in the grid, all at once. shift: from each rank to
///            the one `by` on. butterfly: with rank XOR `by`. pipeline: p ranks in a line, `count` pieces: count + p -
///            1 times computing, and a message (and one back) between two of them. wavefront: the same through the
///            whole grid, a message along each dimension; p - 1 becomes the sum of X_i - 1. permutation, matrix: the
///            file's messages, by `matched_rounds`. Collectives: `collective_algorithms`.
/// Source:    derived; wavefront: Hoisie, Lubeck and Wasserman 2000; pipeline: Huang et al. 2019 (GPipe).
/// Range:     `along` a dimension each line of the grid is a group.
/// Test:      tests/model/program/test_program_time.cpp
std::span<const Pattern> patterns();

/// InputError with a suggestion for an unknown name.
const Pattern& pattern_named(const std::string& name);

/// What computing takes, where a pattern computes.
std::span<const PatternNumber> numbers_of_computing();

}  // namespace narrows
