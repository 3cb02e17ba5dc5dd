#pragma once

#include "calibrate/study/case_design.hpp"

namespace narrows {

/// The case with as many updates as take that long by the machine's prediction; a thousand a rank where that takes no
/// more than `length.most`. InputError where it cannot be predicted.
GupsCase of_length(const Machine& machine, GupsCase what, const CaseLength& length);

/// The cases of `gups_case_at`.
CaseSpace gups_space();

}  // namespace narrows
