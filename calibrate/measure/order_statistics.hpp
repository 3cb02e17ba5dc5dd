#pragma once

#include <vector>

namespace narrows {

/// A median with an interval that holds without assuming a distribution.
struct MedianEstimate {
    double median = 0;
    double low = 0;  ///< of an interval with at least 95 % confidence, or of all samples when they are too few for one
    double high = 0;
    int samples = 0;

    /// Half of the interval over the median.
    double relative_half_width() const { return (high - low) / (2 * median); }
};

/// The median of independent samples with the interval between two order statistics.
///
/// Statement: [x_(k), x_(n+1-k)] with the largest k for which P(Binomial(n, 1/2) < k) <= 2.5 %.
/// Symbols:   n samples in increasing order x_(1) ... x_(n).
/// Source:    the sign test's interval (David and Nagaraja, Order Statistics, 7.1).
/// Range:     n >= 6 for 95 %; fewer samples give their whole range. At least one sample.
/// Test:      tests/calibrate/test_order_statistics.cpp
MedianEstimate median_estimate(std::vector<double> samples);

}  // namespace narrows
