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
    OrderEstimate measured;

    double relative_error() const { return predicted / measured.value - 1; }
    /// Whether the predicted interval holds what was measured.
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

/// What a validation may take.
struct ValidationLimits {
    int most_ranks = 0;
    int repeats = 0;       ///< runs of each size that count
    double seconds = 300;  ///< in search of runs in the calibration's state; fewer count where that does not come back
};

/// Runs every size that calibration's fits leave out in random order, and lays the machine's prediction beside
/// the first quartile of the times. How far it is goes to `progress_lines`.
Validation validate_here(const Machine& machine, const ValidationLimits& allowed, std::ostream& progress_lines);

/// The same of Sweep3D: decks that no fit saw, on 2x1 to 16x16 ranks.
Validation validate_sweep3d_here(const Machine& machine, const ValidationLimits& allowed, std::ostream& progress_lines);

/// The cases as table, JSON and plot; `summary` has median and worst error and the coverage of the intervals.
Document validation_document(const Machine& machine, const Validation& validation);

}  // namespace narrows
