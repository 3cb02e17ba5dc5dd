#pragma once

#include "model/formula.hpp"
#include "model/path/path.hpp"

namespace narrows {

/// `whole_time` of a message in a stage as a formula of what the stage has.
Formula stage_formula(const Stage& stage, Data payload);

}  // namespace narrows
