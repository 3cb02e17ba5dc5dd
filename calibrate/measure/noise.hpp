#pragma once

#include <string>
#include <vector>

namespace narrows {

/// What a probe of the cores saw: the same arithmetic on each core alone and on all at once.
struct CoreProbe {
    double together = 1;         ///< slowest core's speed with all at work, over its speed alone; 1 is undisturbed
    double slowest_alone = 1;    ///< slowest core's speed alone, over the fastest's
    double unsteadiness = 0;     ///< spread of short slices of that arithmetic: 90th over 10th percentile, minus 1
    double processor_share = 1;  ///< processor time over wall time, the least of all threads
    long involuntary_switches = 0;
    double seconds = 0;  ///< how long it took
};

/// Runs the probe on `workers` pinned threads, about half a second in all.
CoreProbe probe_cores(int workers);

/// Probes until nothing is seen, at most `attempts` times, and returns the last probe: cores that have idled, of
/// virtual machines above all, take a second or two to be had whole. What disturbs now and then may escape it, and
/// shows in the runs.
CoreProbe settled_probe(int workers, int attempts = 4);

/// Why measurements on this machine cannot be trusted, a sentence each with its number; empty when they can.
std::vector<std::string> evidence_of_noise(const CoreProbe& probe);

/// The same of threads that never wait, each pinned to a core of its own for `seconds`. `processor_share`: the least of
/// a thread's processor time over wall time, or that of all together.
std::vector<std::string> evidence_of_neighbours(double processor_share, long involuntary_switches, double seconds);

}  // namespace narrows
