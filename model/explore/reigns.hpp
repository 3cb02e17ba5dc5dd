#pragma once

#include <string>
#include <vector>

#include "model/explore/target.hpp"

namespace narrows {

/// One of several whose predictions along a variable are held against each other.
struct Rival {
    std::string name;
    OutcomeAt outcome;
};

/// Between two values of a variable, what holds there: the best rival, or the bottleneck of the only one.
struct Reign {
    double from = 0;
    double to = 0;
    std::string what;
    double value = 0;  ///< of the prediction at `from`, SI
};

/// What holds along the range, by `changes_along`; the first rival among equals. `value_of` makes the variable's value
/// of a place in the range. Values that not all rivals can have are left out. InputError where there are no others.
/// Test: tests/model/explore/test_target.cpp
std::vector<Reign> reigns_along(
    const std::vector<Rival>& rivals, bool is_rate, const Range& range,
    const std::function<double(double)>& value_of = [](double place) { return place; });

}  // namespace narrows
