#pragma once

#include <string>
#include <vector>

#include "model/residual_surface.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

/// The name of the residuals of Sweep3D.
inline const std::string sweep_residuals = "sweep3d";

/// What the time of an iteration on one node follows, beyond what its formulas have.
std::vector<ResidualVariable> residual_variables(const Machine& machine, const SweepQuery& query);

}  // namespace narrows
