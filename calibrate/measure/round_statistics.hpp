#pragma once

#include <vector>

namespace narrows {

/// Whether samples of the same things, taken in rounds one after the other, are as good as independent ones.
struct RoundStatistics {
    double autocorrelation = 0;  ///< between a sample and the next of the same thing; from -1 to 1
    double effective_share = 1;  ///< independent samples that say as much, over those taken; above 0, at most 1
    double drift = 0;            ///< relative change from the first round to the last

    /// Factor by which intervals of medians are to be wider than those of independent samples.
    double widening() const;
};

/// Statement: r = sin(pi/2 * (mean over series of s_i s_(i+1) + 1/n)), s the sign of a sample's distance from its
///            series' median; share = (1 - r)/(1 + r), 1 for r <= 0; drift = median over series of (n - 1) times the
///            median slope between any two samples of the series, over its median.
/// Symbols:   n samples of a series, in the order in which they were taken; 1/n what removing the median takes away.
/// Source:    effective sample size of a first-order autoregression (Bartlett 1946); arcsine law of signs; Theil and
///            Sen's slope.
/// Range:     series shorter than four samples are left out; nothing is left: independent, no drift. Signs, so that a
///            sample that another program disturbed counts as any other.
/// Test:      tests/calibrate/test_round_statistics.cpp
RoundStatistics round_statistics(const std::vector<std::vector<double>>& series);

}  // namespace narrows
