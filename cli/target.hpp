#pragma once

#include <string>

#include "cli/variable.hpp"
#include "model/explore/target.hpp"

namespace narrows {

/// The target of `--target`, a rate or a time as the workload has it. InputError unless it is one above zero.
Target target_of(const std::string& text, const Workload& workload);

/// Begins a search with the first whole number of the range that has a prediction, as not all sizes of a machine do.
void begin_where_predicted(const VariedPrediction& prediction, Surroundings& around);

/// What holds a prediction back, in words: `held back by network`, `most of it is compute`.
std::string held_back_text(const Answer& answer);

}  // namespace narrows
