#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/explore/steps.hpp"

namespace narrows {

/// Values as a list has them: numbers, or texts.
struct Values {
    std::vector<Steps> runs;
    std::vector<std::string> texts;

    std::int64_t size() const;
    double number(std::int64_t position) const;
    bool has(double number) const;
};

/// `a..b`, perhaps with `*2`, `+5` or `:10` behind it.
struct RangeText {
    std::string first;  ///< empty where the range goes on from what is before it
    std::string last;
    char by = 0;
    std::string step;
};

/// Nothing for another text, such as a file's name with dots.
std::optional<RangeText> range_in(const std::string& typed);

/// Whether a text is a change by a share, such as `+10%`.
bool is_change_by_share(const std::string& text);

/// Whether a text is a list or a range of values, and not one of them.
bool is_varied(const std::string& text);

/// The parts of a list, without spaces around them; one that may be empty where there is no comma. InputError names
/// `option`, of which a part is empty.
std::vector<std::string> items_of(const std::string& option, const std::string& list);

/// The number that a text is; nothing for one that is none.
using ReadNumber = std::function<std::optional<double>(const std::string& text)>;

/// The same of an end of a range. InputError where it is none.
double required_number(const ReadNumber& read, const std::string& text);

/// `1,2,4`, `a..b` (each the double of the one before), `a..b*3`, `a..b+5`, `a..b:10` (so many, evenly), or several of
/// these after each other; `32,64,..4096` goes on by the ratio of the two before, as far as that leads. With
/// `includes_end` a range by doubling or going on has its end, too, where the steps do not meet it. InputError.
Values values_of(const std::vector<std::string>& items, const ReadNumber& read, bool includes_end = false);

/// The whole numbers that these are nearest to.
Values nearest_whole(const Values& values);

/// The same of a list whose numbers `read` tells, each a whole one. InputError names `option`, also for more than a
/// million.
std::vector<std::int64_t> whole_values(const std::string& option, const std::string& list,
                                       const std::function<std::int64_t(const std::string& text)>& read,
                                       bool includes_end = false);

}  // namespace narrows
