#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "model/prediction.hpp"
#include "model/report_progress.hpp"
#include "model/time_prediction.hpp"

namespace narrows {

/// A prediction as a function of the machine, everything else fixed.
using PredictionOf = std::function<Prediction(const Machine&)>;
using TimePredictionOf = std::function<TimePrediction(const Machine&)>;
/// Its value alone: a rate or a time.
using NumberOf = std::function<double(const Machine&)>;

/// What any prediction comes to.
struct Outcome {
    double value = 0;                  ///< a rate in 1/s, or a time in s
    std::optional<Interval> interval;  ///< 95 %; nothing where none is known
    std::string bottleneck;
    double measured = 0;  ///< the part of the value that runs were measured beside: the interval is theirs
};
using OutcomeOf = std::function<Outcome(const Machine&)>;

/// The interval is that of measured runs beside it, where there are any.
Outcome outcome_of(const Prediction& prediction);
Outcome outcome_of(const TimePrediction& prediction);

/// The prediction with the 95 % interval that follows from the intervals of the machine's parameters.
///
/// Statement: low = X - sqrt(sum_i d_i^2 + 2 sum_{i<j} r_ij d_i d_j) with d_i = X(p_i) - X(p_i'), high likewise with
///            the other ends; only changes of that side count for parameters that are not correlated. Of a prediction
///            that runs were measured beside the interval is theirs; where that is of a part m of it,
///            low = X - sqrt(d^2 + (1 - m)^2 (X - low of parameters)^2), d how far theirs reaches.
/// Symbols:   X the predicted rate or time, p_i' an end of the interval of parameter p_i, r_ij its correlation with
///            p_j.
/// Source:    first-order propagation of errors.
/// Range:     intervals small enough for X to be about linear.
/// Test:      tests/model/test_uncertainty.cpp
Prediction with_interval(const Machine& machine, const PredictionOf& predict);
/// `progress` is told of the predictions after the first.
TimePrediction with_interval(const Machine& machine, const TimePredictionOf& predict,
                             const ReportProgress& progress = {});
Outcome with_interval(const Machine& machine, const OutcomeOf& predict);
/// The same without a copy of the machine, which is at the end as it was.
Outcome with_interval(Machine& machine, const OutcomeOf& predict, const ReportProgress& progress = {});

/// How much a prediction follows one parameter.
struct Sensitivity {
    std::string path;
    double elasticity;  ///< relative change of the rate or time over that of the parameter, for a change of 1 %
    /// Its part of the squared width of the interval that parameters give the prediction, so that all sum to 1; below 0
    /// where its error offsets that of another. None where no parameter's interval moves the prediction.
    std::optional<double> interval_share = {};
    /// The prediction jumps at its value: the elasticity is of the side to which it does not, 0 where it does to both.
    bool at_step = false;
    /// The elasticities for a larger and for a smaller value, where they differ: two servers are equally busy.
    /// `elasticity` is their mean.
    std::optional<std::pair<double, double>> kink = {};
};

/// The elasticity of `predicted` to every number that it reacts to, largest first, with what its interval does to that
/// of the prediction (`with_interval`); a number without small changes, such as a count, has an elasticity of 0. None
/// of a prediction of zero.
/// Source: central difference in the logarithm; a side that is steeper the closer one looks is a jump. Test:
/// tests/model/test_uncertainty.cpp
std::vector<Sensitivity> sensitivities(const Machine& machine, const NumberOf& predicted,
                                       const ReportProgress& progress = {});

}  // namespace narrows
