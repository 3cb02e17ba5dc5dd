#pragma once

#include <string>

#include "cli/workload.hpp"
#include "model/prediction.hpp"
#include "model/time_prediction.hpp"

namespace narrows {

/// Puts a prediction into `answer`: result, bottleneck, bounds and terms, in JSON and for a reader. The workload itself
/// has said before what was asked.
void report(Answer& answer, const Prediction& prediction);
void report(Answer& answer, const TimePrediction& prediction);

/// An update rate for a reader: GUPS with four digits or more, never with an exponent above.
std::string gups_text(Rate rate);

}  // namespace narrows
