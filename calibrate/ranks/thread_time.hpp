#pragma once

#include <chrono>

namespace narrows {

/// Seconds since some moment.
inline double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Times of a run; from when to when is said where they are.
struct RunTimes {
    double seconds = 0;             ///< by the wall
    double cpu_seconds = 0;         ///< of processors, all workers together
    long involuntary_switches = 0;  ///< how often a worker lost its core
};

/// Those of a run of which it is known how its workers kept their cores.
struct WorkerTimes : RunTimes {
    bool pinned = false;  ///< whether every worker kept to a core of its own
};

/// Processor time of this thread so far, in seconds.
double thread_seconds();

/// How often the system took the calling thread off its core for another, since it started.
long thread_switches();

}  // namespace narrows
