#pragma once

#include <fmt/format.h>

#include <stdexcept>

namespace narrows {

/// `seconds` that a clock counted while something was done. Throws std::runtime_error when it did not go forward, as
/// nothing is known of the time then.
inline double elapsed(double seconds) {
    if (seconds > 0) return seconds;
    throw std::runtime_error(
        fmt::format("this machine's clock did not advance during the run ({:.9f} s): make sure that nothing sets or "
                    "replaces the clock, then run again",
                    seconds));
}

}  // namespace narrows
