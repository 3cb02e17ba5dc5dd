#pragma once

#include <functional>
#include <optional>

#include "model/explore/changes.hpp"
#include "model/uncertainty.hpp"

namespace narrows {

/// A prediction along a variable. InputError where there is none.
using OutcomeAt = std::function<Outcome(double value)>;

/// A result that is to be reached, up to what printing and reading it again rounds: a time that is not to be longer, or
/// a rate that is not to be lower.
struct Target {
    double value = 0;  ///< SI
    bool is_time = false;

    bool is_reached_by(double result) const {
        constexpr double by_rounding = 1e-12;
        return is_time ? result <= value * (1 + by_rounding) : result >= value * (1 - by_rounding);
    }
};

/// The value at which the prediction just reaches the target, by `just_holding`.
std::optional<double> solved_value(const OutcomeAt& prediction, const Surroundings& around, const Target& target);

/// Ends of a solution's interval, each of them where it is known.
struct SolutionEnds {
    std::optional<double> low;
    std::optional<double> high;
};

/// Where either end of the prediction's interval just reaches the target that the prediction reaches at `solution`;
/// none where it has no interval. Test: tests/model/explore/test_target.cpp
SolutionEnds solution_ends(const OutcomeAt& with_interval, const Surroundings& around, const Target& target,
                           double solution);

/// What is found of a variable by which no value just reaches a target.
struct OutOfReach {
    double best = 1;       ///< the value with the best result of those that were tried
    bool follows = false;  ///< whether the result depends on the variable at all
};
OutOfReach out_of_reach(const OutcomeAt& prediction, const Surroundings& around, const Target& target);

}  // namespace narrows
