#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/study/gups_case.hpp"

namespace narrows {

/// One run of a case.
struct Sample {
    std::string name;        ///< of the case
    double seconds = 0;      ///< wall time
    double cpu_seconds = 0;  ///< of all worker threads
    std::uint64_t updates = 0;
    int workers = 1;
    long involuntary_switches = 0;
    double probe_seconds = 0;  ///< a short fixed piece of work right before and after the run, the slower of the two

    /// Time that one worker spent on an update, in seconds.
    double per_update() const { return seconds * workers / static_cast<double>(updates); }
};

/// When sampling ends.
struct SamplingLimits {
    double seconds = 60;  ///< no run but the first is started later than this, unless it is needed
    /// Runs that are needed for `least` samples of every case are started up to here; 0: up to `seconds`.
    double most_seconds = 0;
    int least = 3;  ///< samples of every case, if time allows
    int most = 9;
    double tight = 0.02;     ///< relative half-width of the median's interval that is narrow enough
    std::uint64_t seed = 1;  ///< of the order of the cases
};

/// What sampling reports and heeds while it runs. All may be left empty.
struct SamplingHooks {
    std::function<void(const Sample&)> sink;  ///< keeps a sample as soon as it is taken
    std::function<void(double)> progress;     ///< fraction of the time used
    const std::atomic<bool>* stop = nullptr;  ///< ends sampling after the run under way
};

struct Sampled {
    std::vector<Sample> samples;
    bool complete = false;  ///< every case has `least` samples
    bool tight = false;     ///< every case's interval is narrow enough
    bool interrupted = false;
};

/// Runs the cases in random order, round after round, until all medians are tight or a limit is reached. `earlier`
/// samples of an interrupted session count.
Sampled sample(const std::vector<GupsCase>& cases, const SamplingLimits& limits, const SamplingHooks& hooks,
               std::vector<Sample> earlier = {});

/// Times of an update in the samples of the case called `name`: of those that were taken while the machine was as fast
/// as it is when left alone, if there are at least three of them, else of all. How fast it was is told by the probes
/// around a run, not by its own result; the reference is the first quartile of all samples' probes.
std::vector<double> times_of(const std::vector<Sample>& samples, const std::string& name);

/// How long the probe takes on a quiet machine: the first quartile of all samples' probes; 0 without samples.
double quiet_probe_seconds(const std::vector<Sample>& samples);

/// The share of the samples that were taken while the machine was slower than that.
double disturbed_share(const std::vector<Sample>& samples);

}  // namespace narrows
