#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "calibrate/fit/least_squares.hpp"

namespace narrows {

/// A time = `known` + sum of cost_j * factors_j, with a relative error of `deviation`. In seconds.
struct TimedCosts {
    std::vector<double> factors;
    double known = 0;
    double time = 0;
    double deviation = 0.1;
};

struct TimeFit {
    /// Above zero, with 95 % intervals that may reach below; empty without as many times as costs that are not tied to
    /// others, or where no costs are found.
    std::vector<Coefficient> costs;
    /// Of the logarithms' errors of costs i and j, row by row.
    std::vector<std::vector<double>> correlations;
};

/// Costs of one model for times of all sizes.
///
/// Statement: minimises sum rho(ln((k + A c)/t)/s) + sum over ties of (ln c_i/c_j)^2 over c > 0, with
///            rho(z) = 2 (sqrt(1 + z^2) - 1); intervals are 1.96 deviations of c by the slopes there, times the root
///            mean square of the misfits where that is above 1.
/// Symbols:   t times, k their known parts, A factors, s relative deviations, c costs. Tied costs differ by a factor e,
///            give or take: those of neighbouring sizes, of which few times tell.
/// Source:    Levenberg-Marquardt (Eigen); rho by Triggs, McLauchlan, Hartley and Fitzgibbon 2000, so that single
///            disturbed runs do not count by their squares.
/// Range:     every cost is in some time or tied to one that is.
/// Test:      tests/calibrate/test_time_fit.cpp
TimeFit fit_times(const std::vector<TimedCosts>& times, const std::vector<std::pair<std::size_t, std::size_t>>& ties);

}  // namespace narrows
