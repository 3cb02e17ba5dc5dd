#pragma once

#include <vector>

#include "calibrate/study/gups_case.hpp"
#include "model/gups/placement.hpp"

namespace narrows {

/// Runs that no calibration's fit sees, from 2 to `most_ranks` ranks, in their default arrangement: the powers of two
/// that `fitted_ranks` leaves out, as far as `available_memory` holds them. Two ranks have a code path of their own,
/// which the fit sees with smaller packets only.
std::vector<GupsCase> validation_cases(int workers, int most_ranks, std::size_t available_memory);

/// What `predict_gups` is asked for the same run on a machine of one node.
GupsQuery query_of(const GupsCase& what);

}  // namespace narrows
