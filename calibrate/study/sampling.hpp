#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/thread_time.hpp"
#include "calibrate/study/gups_case.hpp"
#include "calibrate/study/study_case.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

/// One run of a case.
struct Sample : RunTimes {
    std::string name;           ///< of the case
    double whole_seconds = 0;   ///< with what it took to set up; 0: unknown
    double ended = 0;           ///< seconds since 1970; 0: unknown
    std::uint64_t updates = 0;  ///< or cell-angles of Sweep3D
    int workers = 1;
    double core_distance = 0;  ///< seconds of a cache line between two cores, mean of before and after; 0: unknown
    double probe_seconds = 0;  ///< a short fixed piece of work right before and after the run, the slower of the two
    double quicker_probe_seconds = 0;  ///< the other; 0: unknown
    /// Its updates cost the time that its threads had their cores for: what a hypervisor takes them away for, tens of
    /// percent of some runs, is no cost of theirs.
    bool processor_timed = false;

    /// Time that one worker spent on an update, in seconds.
    double per_update() const {
        return processor_timed ? cpu_seconds / static_cast<double>(updates) : wall_per_update();
    }
    /// The same by the wall, with what others took.
    double wall_per_update() const { return seconds * workers / static_cast<double>(updates); }
    /// The machine's state beside the run, as `MeasuredResiduals::states` has it; empty where it is unknown.
    std::vector<double> state() const;
    /// The part of that time in which the worker had its core, 0 to 1: neighbours and hypervisors take the rest.
    double processor_share() const { return std::min(1.0, cpu_seconds / (seconds * workers)); }
};

/// The share of a run's time that it has its cores, where nothing disturbs it.
inline constexpr double usual_share = 0.95;

/// A case that has taken so many seconds, set up as it is, is not run again for certainty: a table of some GiB takes
/// that once.
inline constexpr double seconds_of_long_case = 1.5;

/// When sampling ends.
struct SamplingLimits {
    double seconds = 60;  ///< no run but the first is started later than this, unless it is needed
    /// Runs that are needed for `least` samples of every case are started up to here; 0: up to `seconds`.
    double most_seconds = 0;
    int least = 3;  ///< samples of every case, if time allows
    int most = 9;
    /// A case whose runs take so long, with set-up, is not run again once it had its cores, and without them after four
    /// times as long; 0: none is.
    double long_seconds = 0;
    int patience = 0;        ///< runs of a case in search of undisturbed ones; 0: no more than `most`
    double tight = 0.02;     ///< relative half-width of the first quartile's interval that is narrow enough
    double quiet_probe = 0;  ///< seconds of the probe in the state that runs are wanted in; 0: the samples' own
    std::uint64_t seed = 1;  ///< of the order of the cases
};

/// What sampling reports and heeds while it runs. All may be left empty.
struct SamplingHooks {
    std::function<void(const Sample&)> sink;  ///< keeps a sample as soon as it is taken
    /// Is told of a case that cannot be run, as others have taken the memory; it is left out from then on. Empty: it is
    /// an InputError.
    std::function<void(const StudyCase&, const InputError&)> refuse;
    const std::atomic<bool>* stop = nullptr;  ///< ends sampling after the run under way

    bool stopped() const { return stop != nullptr && stop->load(); }
};

struct Sampled {
    std::vector<Sample> samples;
    bool complete = false;  ///< every case has the samples that it needs
    bool tight = false;     ///< every case's interval is narrow enough
    bool interrupted = false;
};

/// Runs the cases in random order, round after round, until all quartiles are tight or a limit is reached. `earlier`
/// samples of an interrupted session count.
Sampled sample(const std::vector<StudyCase>& cases, const SamplingLimits& limits, const SamplingHooks& hooks,
               std::vector<Sample> earlier = {});

/// Whether the case called `name` has the samples that it needs.
bool has_needed(const std::vector<Sample>& samples, const std::string& name, const SamplingLimits& limits);

/// The sample that a run of these times is, whose updates cost the time that its threads had their cores for.
Sample sample_of(const std::string& name, const RunTimes& times, std::uint64_t updates, int workers);

/// The case as something to be timed.
StudyCase study_case(const GupsCase& what);

/// Seconds of the piece of work that is timed beside samples (`Sample::probe_seconds`). Takes some 2 to 8 ms.
double timed_work();

/// A run that has its cores, which stay about as far from each other: where the distance before it, `last_distance`,
/// and after it differ much, or others had the cores for a while, the run is made again, up to twice, unless it took
/// half a second with its set-up. Leaves the distance after it there.
Sample run_in_one_state(const StudyCase& what, const Cores& cores, double& last_distance);

/// What the samples of one case say.
struct CaseTimes {
    std::vector<double> times;  ///< of an update in the runs that count, in seconds
    int undisturbed = 0;        ///< how many runs had their cores as far as any run of the case had
    int quiet = 0;              ///< and caches and memory as the probe's quiet time has them
};

/// Times of an update in the samples of the case called `name` that count: of those whose threads had their cores, as
/// the kernel's accounts tell (within 3 % of the case's best run, and for 90 % of the time at least), and beside which
/// the probe took from 0.85 to 1.1 of its `quiet_probe` time, with cores no farther from each other than usual; or of
/// the three that come closest. It is not their own
/// result that they are chosen by. Without a `quiet_probe` it is that of the samples.
CaseTimes case_times(const std::vector<Sample>& samples, const std::string& name, double quiet_probe = 0);

/// The times of `case_times`.
std::vector<double> times_of(const std::vector<Sample>& samples, const std::string& name, double quiet_probe = 0);

/// How long the probe takes on a quiet machine: the first quartile of all samples' probes; 0 without samples.
double quiet_probe_seconds(const std::vector<Sample>& samples);

/// Whether these distances of cores are one state of the machine.
bool about_as_far(double one, double other);

/// How far cores are from each other in seconds, as `Sample::core_distance`: the first quartile of all samples, and the
/// range that nine of ten are in; 0 where that is unknown.
struct CoreDistances {
    double usual = 0;
    double least = 0;
    double most = 0;

    /// Whether cores were about as far from each other as usual beside the sample, or nobody knows.
    bool usual_beside(const Sample& sample) const;
};
CoreDistances core_distances(const std::vector<Sample>& samples);

/// Up to 15 of the states that the machine was in beside the samples, evenly over the time of the runs: long runs are
/// what is predicted, and what short ones are to tell of. Those whose state is unknown do not count.
std::vector<std::vector<double>> states_met(const std::vector<Sample>& samples);

/// Probability that a second after a run the machine is in any of its states, as far as cores are from each other:
/// how often two runs so far apart differ, over how often any two do. 0 where hardly any do, or nobody knows when runs
/// were.
double state_change(const std::vector<Sample>& samples);

/// Whether other processes had the cores in most of these runs of a case, as the system counts the time of threads:
/// such runs tell nothing of the machine. It is not their result that they are told by.
bool others_had_cores(const std::vector<Sample>& runs);

/// Why these samples cannot be trusted, a sentence with its numbers; empty when they can: in most cases, enough runs
/// had their cores to themselves.
std::vector<std::string> evidence_of_noise(const std::vector<Sample>& samples);

}  // namespace narrows
