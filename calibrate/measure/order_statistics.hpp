#pragma once

#include <vector>

namespace narrows {

/// A quantile with an interval that holds without assuming a distribution.
struct OrderEstimate {
    double value = 0;
    double low = 0;  ///< of an interval with at least 95 % confidence, or of all samples when they are too few for one
    double high = 0;
    int samples = 0;

    /// Half of the interval over the value.
    double relative_half_width() const { return (high - low) / (2 * value); }
};

/// The `share` quantile of independent samples, between the two nearest in proportion, with the interval between two
/// order statistics.
///
/// Statement: [x_(k), x_(m)] with the largest k for which P(B < k) <= 2.5 % and the least m for which P(B >= m) <= 2.5
/// %. Symbols:   n samples in increasing order x_(1) ... x_(n); B ~ Binomial(n, share). Source:    the sign test's
/// interval (David and Nagaraja, Order Statistics, 7.1). Range:     where no k or m is large or small enough, the least
/// or the largest sample takes its place (medians: below
///            n = 6). At least one sample; 0 < share < 1.
/// Test:      tests/calibrate/test_order_statistics.cpp
OrderEstimate quantile_estimate(std::vector<double> samples, double share);

/// The median.
OrderEstimate median_estimate(std::vector<double> samples);

/// The first quartile: of times to which neighbours only add, it is nearer than the median to what the code itself
/// takes, and moves less from hour to hour.
OrderEstimate quartile_estimate(std::vector<double> samples);

}  // namespace narrows
