#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/kernels/messages/launch.hpp"
#include "calibrate/measure/time_limit.hpp"
#include "calibrate/study/case_design.hpp"
#include "calibrate/study/gups_fit.hpp"
#include "calibrate/study/message_sampling.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/machine.hpp"

namespace narrows {

/// Cases of one kernel, and what their samples say of a machine. Cases without samples are left out.
struct FittedCases {
    std::vector<StudyCase> cases;
    std::function<std::vector<Parameter>(const std::vector<Sample>& samples, const FitOptions& options)> fit;
    std::string left_out{};  ///< what would take too long to be set up here, in words; empty: nothing
};

/// All that a calibration knows of a kernel.
struct CalibratedKernel {
    std::string title;  ///< for readers: `RandomAccess`
    std::function<FittedCases(Effort effort, int workers, std::size_t available_memory)> planned;
    /// Those that the samples of any calibration may be of.
    std::function<FittedCases(const std::vector<Sample>& samples, int workers)> known;
    CaseSpace space;               ///< that is filled with runs after those of `planned`
    double share = 0;              ///< of the time of runs, for that
    double seconds_of_case = 0.2;  ///< what one of these takes, set up and probed
};

/// Those of this program.
CalibratedKernel calibrated_gups();
CalibratedKernel calibrated_sweep3d();
CalibratedKernel calibrated_computing();

/// What a calibration has measured, or an earlier one.
struct CalibrationSamples {
    std::vector<Sample> updates;  ///< of the kernels
    std::vector<MessageSample> messages;
    std::vector<Sample> phases;  ///< of messages, by the names of `MessageStudyCase`

    std::size_t count() const { return updates.size() + messages.size() + phases.size(); }
};

/// How a calibration is to be run.
struct CalibrationChoice {
    std::vector<CalibratedKernel> kernels;
    bool messages = true;  ///< measure messages too
    bool quick = false;
    bool allow_noise = false;
    double seconds = 0;            ///< time for runs, a sixth of it for messages; 0: 36 s when quick, else 270 s
    std::vector<Machine> history;  ///< earlier calibrations of this machine
    CalibrationSamples earlier = {};

    double budget() const;
    MessageSamplingLimits message_limits() const;
};

/// What a calibration reports and heeds while it runs.
struct CalibrationHooks : SamplingHooks {
    std::function<void(const MessageSample&)> message_sink;
    std::function<void(double)> progress;  ///< fraction of the time used
};

/// How a calibration ended.
struct Calibration {
    enum class End { done, noisy, interrupted, incomplete };
    End end = End::done;
    Machine machine;                    ///< when done
    std::vector<std::string> evidence;  ///< of noise
    std::string remark;                 ///< of the file that the samples were read from
    bool examined = true;               ///< whether evidence was looked for
    std::optional<bool> tight;          ///< whether all times are, where that was asked for
    std::size_t runs = 0;               ///< samples, those of earlier sessions among them
    std::size_t earlier = 0;            ///< of earlier sessions
    double seconds = 0;
    double quiet_probe = 0;  ///< seconds of the probe beside the runs, undisturbed

    /// `7935 runs, 6000 of them earlier, in 290 s`.
    std::string runs_text() const;
};

/// Probes the machine, runs the kernels, fits. Stopped, it ends after the run under way.
Calibration calibrate_here(const CalibrationChoice& choice, const CalibrationHooks& hooks);

/// The machine that samples describe, which were taken anywhere; without a name. `rare` is called where cases were run
/// so seldom that noise would not show, unless noise is allowed: how many of them, and how many there are. Intervals
/// are four times as wide where it is.
Calibration calibrate_from(const CalibrationChoice& choice, const CalibrationSamples& samples,
                           const std::function<void(std::size_t rare, std::size_t known)>& rare);

/// Messages between the ranks of a launcher's job, each of which calls this; the samples of rank 0 count.
MessageSampled sample_messages_of(const CalibrationChoice& choice, const Launch& launch, int ranks,
                                  const CalibrationHooks& hooks);

/// The machine that such samples describe, after so many seconds.
Calibration calibration_of(const MessageSampled& sampled, int ranks, double seconds);

}  // namespace narrows
