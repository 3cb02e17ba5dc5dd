#pragma once

#include <vector>

namespace narrows {

/// One observation of a linear model: `value` = sum of coefficient_i * factors_i, with an error of `deviation`.
struct Observation {
    std::vector<double> factors;
    double value = 0;
    double deviation = 1;  ///< standard deviation of the value, in its unit; only ratios matter to the coefficients
};

/// A coefficient with its 95 % interval.
struct Coefficient {
    double value = 0;
    double low = 0;
    double high = 0;
};

struct LinearFit {
    /// False when the observations do not determine all coefficients; they are then empty.
    bool determined = false;
    std::vector<Coefficient> coefficients;
    /// Of the errors of coefficients i and j, row by row.
    std::vector<std::vector<double>> correlations;
    int degrees_of_freedom = 0;
    /// Root mean square of residuals over their deviations, per degree of freedom; 0 when nothing is left to judge by.
    double misfit = 0;
};

/// Weighted least squares.
///
/// Statement: minimises sum ((y - A c)/s)^2; covariance = (A' W A)^-1 * max(1, misfit^2), half-width t_{0.975} sqrt.
/// Symbols:   y values, A factors, s deviations, W = diag(1/s^2), t Student's quantile with n - p degrees of freedom.
/// Source:    Householder QR with column pivoting (Eigen). A misfit above 1 widens the intervals: what the model leaves
///            out is an error of its coefficients.
/// Range:     at least as many observations as coefficients; with as many, the deviations alone give the intervals.
/// Test:      tests/calibrate/test_least_squares.cpp
LinearFit least_squares(const std::vector<Observation>& observations);

}  // namespace narrows
