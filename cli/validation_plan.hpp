#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/study/study_case.hpp"
#include "cli/workload.hpp"
#include "model/machine.hpp"

namespace narrows {

/// A run that no fit saw, predicted and measured: a rate or a time, in SI units.
struct ValidationCase {
    std::string variant;  ///< empty: the workload has none
    int ranks = 0;
    std::string shape;
    std::string setting;  ///< what else the case has, in words; may be empty
    double predicted = 0;
    std::optional<double> low;
    std::optional<double> high;
    OrderEstimate measured = {};
    std::string workload = {};  ///< where cases of several are validated together, else empty

    double relative_error() const { return predicted / measured.value - 1; }
    /// Whether the predicted interval holds what was measured.
    bool held() const;
    /// Half of the predicted interval over the predicted value; 0 without an interval.
    double half_width() const;
};

/// A case to be run, and what a sample of it says in the figures of its prediction.
struct PlannedRun {
    ValidationCase expected;
    StudyCase what;
    std::function<double(double per_update)> figure;
};

/// Which cases: the `usual` ones, the powers of two between those that the calibration's fit sees; or so many, drawn by
/// a seed from the space that both `predict` and `run` accept.
struct ValidationChoice {
    std::string workload;  ///< as `validated_workloads` names it
    int most_ranks = 65536;
    bool usual = false;
    int cases = 40;
    std::uint64_t seed = 1;
    std::size_t memory = 0;  ///< bytes that cases may take; 0: what is free now
};

/// What a validation is going to run.
struct ValidationPlan {
    ValidationChoice choice;
    std::string title;  ///< of a picture
    Figures figures;
    std::vector<PlannedRun> runs;
    std::vector<std::string> refused;  ///< cases that were drawn but cannot be predicted, and why
};

/// The cases with their predictions; those drawn are as long as a second's run by their prediction. InputError when
/// there are none.
ValidationPlan plan_validation(const Machine& machine, const ValidationChoice& choice);

}  // namespace narrows
