#pragma once

#include <memory>
#include <string>

#include "model/program/pattern.hpp"

namespace narrows {

/// The messages that a text lists, one a line: `from to`, or `from to amount` of a matrix, whose equal lines add up.
/// Ranks have numbers from 0; empty lines and what follows a # are skipped, and so is what a rank sends to itself.
/// InputError with `file`, line and column, also for a permutation in which a rank sends or receives twice.
std::shared_ptr<const RankMessages> read_rank_messages(const std::string& text, const std::string& file,
                                                       PatternFile form);

}  // namespace narrows
