#pragma once

#include <chrono>

namespace narrows {

/// Seconds since some moment.
inline double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What a run took.
struct RunTimes {
    double seconds = 0;      ///< wall time, without set-up
    double cpu_seconds = 0;  ///< processor time of all workers together
    /// How often a worker lost its core.
    long involuntary_switches = 0;
    bool pinned = false;  ///< whether every worker kept to a core of its own
};

/// Processor time of this thread so far, in seconds.
double thread_seconds();

/// How often the system took the calling thread off its core for another, since it started.
long thread_switches();

}  // namespace narrows
