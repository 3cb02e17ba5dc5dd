#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace narrows {

/// Where what holds changes: `before` still at `last`, `after` from `next` on. Of whole numbers the two follow each
/// other among those that have an answer, else they are equal to 1e-12.
struct Change {
    double last = 0;
    double next = 0;
    std::string before;
    std::string after;
};

/// Values of a variable, from one end to the other, in either direction.
struct Range {
    double from = 1;
    double to = 1;
    bool whole = false;  ///< whole numbers alone
};

/// What holds at a value; nothing where there is no answer.
using LabelAt = std::function<std::optional<std::string>(double value)>;

/// The changes of `label` along the range, in its direction, at most so many.
///
/// Statement: every whole number of a range of up to 1024 is looked at; of others samples at equal ratios, four a
///            doubling, 64 to 256 in all (at equal differences where an end is not above zero), and between two samples
///            of different labels halves until a change is found, then those behind it.
/// Range:     what comes and goes between two samples of one label is missed, except among up to 1024 whole numbers.
/// Test:      tests/model/explore/test_changes.cpp
std::vector<Change> changes_along(const Range& range, const LabelAt& label,
                                  std::size_t most = static_cast<std::size_t>(-1));

/// Where a value is looked for: from `now` on to either end.
struct Surroundings {
    double now = 1;
    double least = 1;
    double most = 1;
    bool whole = false;
};

/// The value at which what is asked just holds, nearest to `now` upwards, else downwards; nothing where it holds for
/// all of them or for none. `holds` has no answer where there is no prediction. Method, range and test as above.
std::optional<double> just_holding(const Surroundings& around,
                                   const std::function<std::optional<bool>(double value)>& holds);

}  // namespace narrows
