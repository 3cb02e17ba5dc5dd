#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/gups/workload.hpp"
#include "model/prediction.hpp"
#include "model/residual_surface.hpp"

namespace narrows {

/// Memory that a rank of the project's router works in: for each bucket whole lines, or of one line the power of two
/// that it takes, and inboxes of two packets a peer or as many words, in 96 lines at most along each dimension where
/// two packets need no more. Test: tests/calibrate/test_case_space.cpp (against what the router takes)
Data routed_state(std::span<const int> shape, int bucket);

/// The name of the residuals of a code: `gups-routed`.
std::string residuals_of(GupsCode code);

/// What the time of an update of the project's own codes on one node depends on beyond its formula.
std::vector<ResidualVariable> residual_variables(const GupsQuery& query, const Placement& placement, Data table,
                                                 double updates);

}  // namespace narrows
