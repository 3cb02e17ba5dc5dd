#pragma once

#include <functional>

namespace narrows {

/// Is told by long work how much of it is done, 0 to 1; may be empty.
using ReportProgress = std::function<void(double fraction)>;

/// Of a part of work: `all` is told that what lies between the two fractions of it is done so far.
inline ReportProgress part_of(const ReportProgress& all, double from, double to) {
    if (!all) return {};
    return [all, from, to](double fraction) { all(from + (to - from) * fraction); };
}

}  // namespace narrows
