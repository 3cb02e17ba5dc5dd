#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "model/uncertainty.hpp"

namespace narrows {

/// A choice that has a prediction.
struct RankedChoice {
    std::size_t choice = 0;  ///< its number
    Outcome outcome;
    bool like_best = false;  ///< it is the best one, or an interval does not tell it from that
};

/// The best of so many choices first, equal ones in their order; those whose `outcome` is an InputError are left out.
/// That error where all of them are. Precondition: there is a choice. Test: tests/model/explore/test_choices.cpp
std::vector<RankedChoice> ranked_choices(std::size_t choices, const std::function<Outcome(std::size_t)>& outcome,
                                         bool is_rate);

}  // namespace narrows
