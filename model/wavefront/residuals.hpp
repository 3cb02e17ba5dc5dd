#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/residual_surface.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

/// The name of the residuals of Sweep3D.
inline const std::string sweep_residuals = "sweep3d";

/// What they are, in their order.
std::span<const ResidualAxis> residual_axes();

/// What the time of an iteration on one node follows, beyond what its formulas have.
std::vector<double> residual_variables(const Machine& machine, const SweepQuery& query);

}  // namespace narrows
