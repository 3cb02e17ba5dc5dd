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

/// A rate or a time in SI units, and its 95 % interval where it has one.
struct PredictedFigure {
    double value = 0;
    std::optional<double> low;
    std::optional<double> high;

    /// Half of the interval over the value; 0 without an interval.
    double half_width() const;
    bool holds(double measured) const;
};

/// A run that no fit saw, predicted and measured.
struct ValidationCase {
    std::string variant;  ///< empty: the workload has none
    int ranks = 0;
    std::string shape;
    std::string setting;  ///< what else the case has, in words; may be empty
    PredictedFigure predicted = {};
    OrderEstimate measured = {};
    std::string workload = {};      ///< where cases of several are validated together, else empty
    double core_distance = 0;       ///< beside its median run, seconds of a cache line from core to core; 0: unknown
    PredictedFigure in_state = {};  ///< what is predicted of the machine in its state beside that run

    double error_of(const PredictedFigure& figure) const { return figure.value / measured.value - 1; }
};

/// A case to be run, and what a sample of it says in the figures of its prediction.
struct PlannedRun {
    ValidationCase expected;
    std::function<PredictedFigure(const Machine&)> predict;
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
