#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "calibrate/measure/order_statistics.hpp"
#include "cli/document.hpp"
#include "model/machine.hpp"
#include "model/prediction.hpp"

namespace narrows {

/// A run that no fit saw, predicted and measured.
struct ValidationCase {
    int ranks = 0;
    std::string shape;
    Prediction prediction;
    MedianEstimate measured;  ///< updates a second

    double relative_error() const { return prediction.rate.si() / measured.median - 1; }
    /// Whether the predicted interval holds the measured median.
    bool held() const;
    /// Half of the predicted interval over the predicted rate; 0 without an interval.
    double half_width() const;
};

/// What a validation found, and what disturbed it.
struct Validation {
    std::vector<ValidationCase> cases;
    std::vector<std::string> evidence;  ///< of noise, a sentence each
};

/// Runs every size up to `most_ranks` that calibration's fits leave out, `repeats` times each in random order, and lays
/// the machine's prediction beside the median. How far it is goes to `progress_lines`.
Validation validate_here(const Machine& machine, int most_ranks, int repeats, std::ostream& progress_lines);

/// The cases as table, JSON and plot; `summary` has median and worst error and the coverage of the intervals.
Document validation_document(const Machine& machine, const Validation& validation);

}  // namespace narrows
