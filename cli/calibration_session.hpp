#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "calibrate/study/calibration.hpp"
#include "cli/samples_file.hpp"
#include "cli/words.hpp"

namespace narrows {

/// What the samples of a calibration that is not finished are called, behind the machine file's name.
inline constexpr const char* unfinished_samples = ".samples.part.jsonl";

/// How a calibration is to be run, and with which files.
struct CalibrationWords {
    CalibrationChoice choice = {};
    std::string resume;                ///< file of samples to go on from
    std::string samples_file;          ///< where samples are kept as they are taken; empty: not kept
    std::vector<std::string> from;     ///< files that were measured elsewhere; empty: it is measured here
    std::vector<std::string> history;  ///< machine files of earlier calibrations of this machine
    std::string transport;             ///< `mpi`: messages between the ranks of a launcher, and nothing else
};

/// What a calibration knows of the kernels.
std::vector<CalibratedKernel> calibrated_kernels(const Repertoire& known);

/// InputError when the file for the samples has some already: they took minutes to measure, and are resumed or
/// removed by hand, never overwritten.
void require_no_samples(const CalibrationWords& words);

/// Calibrates this machine. How far it is goes to `progress_lines`. Ctrl-C ends it after the run under way and keeps
/// the samples.
Calibration calibrate_here(const CalibrationWords& words, std::ostream& progress_lines);

/// The machine that the samples of a file describe, which were taken anywhere. InputError when they describe nothing,
/// or cases were run so rarely that noise would not show, unless that is allowed.
Calibration calibrate_from(const CalibrationWords& words, const std::string& file);

/// Messages between the ranks that a launcher of MPI started, each of which calls this. Rank 0 gets the machine, or
/// throws; on the others the machine is empty, and nothing is to be said. `check` is called on rank 0 before anything
/// is measured.
Calibration calibrate_under_mpi(const CalibrationWords& words, const std::function<void()>& check, std::ostream& err);

/// Says why a calibration did not end in a machine, and how to go on; returns the exit code.
int explain_end(const Calibration& calibration, const CalibrationWords& words, std::ostream& err);

}  // namespace narrows
