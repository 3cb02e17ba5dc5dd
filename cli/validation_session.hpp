#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "calibrate/measure/order_statistics.hpp"
#include "cli/document.hpp"
#include "cli/workload.hpp"
#include "model/machine.hpp"

namespace narrows {

/// A run that no fit saw, predicted and measured: a rate or a time, in SI units.
struct ValidationCase {
    int ranks = 0;
    std::string shape;
    double predicted = 0;
    std::optional<double> low;
    std::optional<double> high;
    MedianEstimate measured;

    double relative_error() const { return predicted / measured.median - 1; }
    /// Whether the predicted interval holds the measured median.
    bool held() const;
    /// Half of the predicted interval over the predicted value; 0 without an interval.
    double half_width() const;
};

/// What a validation found, and what disturbed it.
struct Validation {
    std::string workload;
    std::string variant;  ///< empty: the workload has none
    std::string title;    ///< of a picture
    Figures figures;
    std::vector<ValidationCase> cases;
    std::vector<std::string> evidence;  ///< of noise, a sentence each
};

/// Runs every size up to `most_ranks` that calibration's fits leave out, `repeats` times each in random order, and lays
/// the machine's prediction beside the median. How far it is goes to `progress_lines`.
Validation validate_here(const Machine& machine, int most_ranks, int repeats, std::ostream& progress_lines);

/// The same of Sweep3D: decks that no fit saw, on 2x1 to 16x16 ranks.
Validation validate_sweep3d_here(const Machine& machine, int most_ranks, int repeats, std::ostream& progress_lines);

/// The cases as table, JSON and plot; `summary` has median and worst error and the coverage of the intervals.
Document validation_document(const Machine& machine, const Validation& validation);

}  // namespace narrows
