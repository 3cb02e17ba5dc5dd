#pragma once

#include <chrono>

namespace narrows {

/// Seconds since some moment.
inline double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Processor time of this thread so far, in seconds.
double thread_seconds();

/// How often the system took the calling thread off its core for another, since it started.
long thread_switches();

}  // namespace narrows
