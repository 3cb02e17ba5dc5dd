#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/residual_surface.hpp"

namespace narrows {

/// The surface through the points, without those that took more than five deviations longer than the others tell; none
/// through fewer than eight, which cannot be judged. With `states` the last variables of each point are its state, of
/// which the first is the logarithm of the cores' distance.
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

/// Kinds of runs that the same things disturb: a few runs of one kind, made in a quiet moment, are weighed against all.
///
/// Statement: v_i = max(v_i, (p_i v_i + w V) / (p_i + w)), V = sum(p_i v_i) / sum(p_i); what is added joins the noise.
/// Symbols:   v_i mean square of kind i's residuals less what the others of the kind tell of each, p_i its points, w
///            `weight` in points.
/// Source:    variances of few samples drawn towards that of all: Smyth 2004.
/// Range:     kinds whose runs are told worse than the mean stay as they are. A kind that gains noise has the quantile
///            of its points, at least that of a normal distribution.
/// Test:      tests/calibrate/test_residual_fit.cpp
void weigh_against_all(std::vector<ResidualSurface>& kinds, double weight);

}  // namespace narrows
