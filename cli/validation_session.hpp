#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/document.hpp"
#include "cli/validation_plan.hpp"
#include "model/machine.hpp"

namespace narrows {

/// What a validation found, and what disturbed it.
struct Validation {
    std::string workload;
    std::string title;  ///< of a picture
    Figures figures;
    std::vector<ValidationCase> cases;
    std::vector<std::string> refused;   ///< cases that could not be predicted
    std::optional<std::uint64_t> seed;  ///< of cases that were drawn
    std::vector<std::string> evidence;  ///< of noise, a sentence each
};

/// What the runs of a validation may take.
struct ValidationLimits {
    int repeats = 0;       ///< runs of each case that count
    double seconds = 300;  ///< of usual cases, in search of runs in the calibration's state
};

/// Runs the cases in random order. Of drawn cases the median of the times counts, of usual ones the first quartile of
/// those in the calibration's state. How far it is goes to `progress_lines`.
Validation validate_here(const Machine& machine, const ValidationPlan& plan, const ValidationLimits& allowed,
                         std::ostream& progress_lines);

/// Why its predictions are not to be trusted: a median error above 20 %, or fewer than four of five intervals that
/// held; none when they are.
std::optional<std::string> failure_of(const Validation& validation);

/// The cases as table, JSON and plot; `summary` has median and worst error and the coverage of the intervals.
Document validation_document(const Machine& machine, const Validation& validation);

}  // namespace narrows
