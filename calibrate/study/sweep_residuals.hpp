#pragma once

#include "calibrate/study/case_design.hpp"

namespace narrows {

/// What `predict_sweep3d` is asked for the same run on a node of the machine.
SweepQuery query_of(const Machine& machine, const SweepCase& what);

/// The case with as many iterations as take that long by the machine's prediction. InputError where it cannot be
/// predicted.
SweepCase of_length(const Machine& machine, SweepCase what, const CaseLength& length);

/// The cases of `sweep_case_at`.
CaseSpace sweep_space();

}  // namespace narrows
