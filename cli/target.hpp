#pragma once

#include <string>

#include "cli/workload.hpp"

namespace narrows {

/// A result that a workload is to reach: a time that is not to be longer, or a rate that is not to be lower.
struct Target {
    double value = 0;  ///< SI
    bool is_time = false;

    bool is_reached_by(double result) const { return is_time ? result <= value : result >= value; }
};

/// The target of `--target`, a rate or a time as the workload has it. InputError unless it is one above zero.
Target target_of(const std::string& text, const Workload& workload);

/// What holds a prediction back, in words: `held back by network`, `most of it is compute`.
std::string held_back_text(const Answer& answer);

}  // namespace narrows
