#pragma once

#include <functional>
#include <limits>

namespace narrows {

/// Polled now and then by a long search: true ends it. The caller owns the clock.
using Stop = std::function<bool()>;

/// Seconds that a search may still take, for a step that cannot be stopped: it is left out when it would take longer.
using TimeLeft = std::function<double()>;

/// For searches that are to end by themselves.
inline bool never_stop() {
    return false;
}
inline double no_limit() {
    return std::numeric_limits<double>::infinity();
}

}  // namespace narrows
