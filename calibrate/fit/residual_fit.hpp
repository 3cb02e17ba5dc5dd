#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/residual_surface.hpp"

namespace narrows {

/// The surface through the points; none through fewer than eight, which cannot be judged. With `states` the last
/// variables of each point are its state, of which the first is the logarithm of the cores' distance.
///
/// Statement: scales, spread, trend and noise of the largest likelihood; mean that of the residuals; quantile the
///            ceil(0.95 (n + 1))-th smallest of |r_i - r_i held out| over its deviation.
/// Source:    likelihood: Sacks, Welch, Mitchell and Wynn 1989; quantile: conformal prediction with residuals scaled by
///            their local spread (Lei, G'Sell, Rinaldo, Tibshirani and Wasserman 2018), leaving one out.
/// Range:     one session of the machine: what differs from session to session is not in it.
/// Test:      tests/calibrate/test_residual_fit.cpp
std::optional<ResidualSurface> fit_residuals(const std::string& name,
                                             const std::vector<MeasuredResiduals::Point>& points,
                                             const std::vector<std::vector<double>>& states = {},
                                             double by_distance = 0);

}  // namespace narrows
