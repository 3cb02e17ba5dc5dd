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
    bool whole = false;        ///< whole numbers alone
    double each_up_to = 1024;  ///< of whole numbers: a range up to so long is looked at one by one
};

/// Whether every value of the range is looked at.
bool is_looked_at_one_by_one(const Range& range);

/// What holds at a value; nothing where there is no answer.
using LabelAt = std::function<std::optional<std::string>(double value)>;

/// The changes of `label` along the range, in its direction, at most so many.
///
/// Statement: every whole number of a range of up to `each_up_to` is looked at; of others samples at equal ratios, four
/// a
///            doubling, 64 to 256 in all (at equal differences where an end is not above zero), and between two samples
///            of different labels halves until a change is found, then those behind it.
/// Range:     what comes and goes between two samples of one label is missed, unless all are looked at.
/// Test:      tests/model/explore/test_changes.cpp
std::vector<Change> changes_along(const Range& range, const LabelAt& label,
                                  std::size_t most = static_cast<std::size_t>(-1));

/// Where a value is looked for: from `now` on to either end.
struct Surroundings {
    double now = 1;
    double least = 1;
    double most = 1;
    bool whole = false;
    double each_up_to = 1024;  ///< as of `Range`
};

/// The value at which what is asked just holds, nearest to `now` upwards, else downwards; nothing where it holds for
/// all of them or for none. `holds` has no answer where there is no prediction. Method, range and test as above; of
/// whole numbers those up to one that was found are looked at again, as there are fewer of them.
std::optional<double> just_holding(const Surroundings& around,
                                   const std::function<std::optional<bool>(double value)>& holds);

}  // namespace narrows
