#pragma once

#include <vector>

namespace narrows {

/// A quantile with an interval that holds without assuming a distribution.
struct OrderEstimate {
    double value = 0;
    double low = 0;  ///< of an interval with 95 % confidence, less when samples are too few for it
    double high = 0;
    int samples = 0;

    /// One sample has no interval.
    bool has_interval() const { return samples > 1; }
    /// Half of the interval over the value.
    double relative_half_width() const { return (high - low) / (2 * value); }
};

/// The `share` quantile of independent samples, between the two nearest in proportion, with an interval.
///
/// Statement: [x_(k), x_(m)], the largest k with P(B < k) and the least m with P(B >= m) not above 2.5 %.
/// Symbols:   n samples in increasing order x_(1) ... x_(n); B ~ Binomial(n, share).
/// Source:    the sign test's interval (David and Nagaraja, Order Statistics, 7.1).
/// Range:     at least one sample; 0 < share < 1. Without such a k or m the least or the largest sample takes its
///            place, and the confidence is less: medians below n = 6 (94 % of 5), first quartiles below n = 11
///            (92 % of 9, 85 % of 7, 75 % of 5, 56 % of 3).
/// Test:      tests/calibrate/test_order_statistics.cpp
OrderEstimate quantile_estimate(std::vector<double> samples, double share);

/// The median.
OrderEstimate median_estimate(std::vector<double> samples);

/// The median, of an even number the lower one of the two in the middle: what disturbs a run makes it longer.
double lower_median(std::vector<double> samples);

/// The first quartile: of times to which neighbours only add, it is nearer than the median to what the code itself
/// takes, and moves less from hour to hour.
OrderEstimate quartile_estimate(std::vector<double> samples);

}  // namespace narrows
