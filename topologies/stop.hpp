#pragma once

#include <functional>

namespace narrows {

/// Polled now and then by a long search: true ends it. The caller owns the clock.
using Stop = std::function<bool()>;

/// For searches that are to end by themselves.
inline bool never_stop() {
    return false;
}

}  // namespace narrows
