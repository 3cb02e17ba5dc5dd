#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "model/uncertainty.hpp"

namespace narrows {

/// A choice that has a prediction.
struct RankedChoice {
    std::size_t choice = 0;  ///< its number
    Outcome outcome;
    bool like_best = false;  ///< it is the best one, or an interval does not tell it from that
};

/// Choices with a prediction, the best first, equal ones in their order.
struct Ranking {
    std::vector<RankedChoice> found;
    std::string refusal{};  ///< of the first of those that have none: why
};

/// The ranking of so many choices, of which those whose `outcome` is an InputError are left out; that error where all
/// are. Precondition: there is a choice. Test: tests/model/explore/test_choices.cpp
Ranking ranked_choices(std::size_t choices, const std::function<Outcome(std::size_t)>& outcome, bool is_rate);

}  // namespace narrows
