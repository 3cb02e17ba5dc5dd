#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "calibrate/study/gups_case.hpp"
#include "calibrate/study/sampling.hpp"
#include "model/machine.hpp"

namespace narrows {

/// What the samples of a calibration that is not finished are called, behind the machine file's name.
inline constexpr const char* unfinished_samples = ".samples.part.jsonl";

/// How a calibration is to be run.
struct CalibrationWords {
    bool quick = false;
    bool allow_noise = false;
    std::string resume;                ///< file of samples to go on from
    std::string samples_file;          ///< where samples are kept as they are taken; empty: not kept
    std::vector<std::string> from;     ///< files that were measured elsewhere; empty: it is measured here
    std::vector<std::string> history;  ///< machine files of earlier calibrations of this machine
    std::string transport;             ///< `mpi`: messages between the ranks of a launcher, and nothing else
    bool messages = true;              ///< measure messages too
    bool sweep3d = true;               ///< and the blocks and messages of Sweep3D
    double seconds = 0;                ///< time for runs, a sixth of it for messages; 0: 36 s when quick, else 280 s

    double budget() const;
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
    std::size_t runs = 0;
    double seconds = 0;
    double quiet_probe = 0;    ///< seconds of the probe beside the runs, undisturbed
    std::string samples_file;  ///< where the samples are, if they were kept
    std::string go_on;         ///< the command that goes on from there
};

/// InputError when the file for the samples has some already: they took minutes to measure, and are resumed or
/// removed by hand, never overwritten.
void require_no_samples(const CalibrationWords& words);

/// Names the machine after this one, whose environment it has.
void describe_here(Machine& machine);

/// Probes the machine, runs the kernels, fits. How far it is goes to `progress_lines`.
/// Ctrl-C ends it after the run under way and keeps the samples.
Calibration calibrate_here(const CalibrationWords& words, std::ostream& progress_lines);

/// The machine that the samples of a file describe, which were taken anywhere. InputError when they describe nothing,
/// or cases were run so rarely that noise would not show, unless that is allowed: intervals are four times as wide
/// then.
Calibration calibrate_from(const std::string& file, bool allow_noise);

/// Messages between the ranks that a launcher of MPI started, each of which calls this. Rank 0 gets the machine, or
/// throws; on the others the machine is empty, and nothing is to be said. `check` is called on rank 0 before anything
/// is measured.
Calibration calibrate_under_mpi(const CalibrationWords& words, const std::function<void()>& check, std::ostream& err);

/// Says why a calibration did not end in a machine, and how to go on; returns the exit code.
int explain_end(const Calibration& calibration, std::ostream& err);

}  // namespace narrows
