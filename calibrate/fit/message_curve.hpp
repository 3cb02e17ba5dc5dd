#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "calibrate/fit/least_squares.hpp"
#include "calibrate/measure/order_statistics.hpp"

namespace narrows {

/// The time of messages of one size.
struct SizedTime {
    double bytes = 0;
    double seconds = 0;
    /// Standard deviation over the time.
    double relative_deviation = 0.01;
};

/// The median of the samples of a size. Its deviation is that of the median's interval, but at least the 2 % that two
/// terms leave out.
SizedTime sized_time(double bytes, const OrderEstimate& seconds);

/// A range of sizes over which a message's time is a line: one protocol, one way through the caches.
struct CurveSegment {
    double from = 0;  ///< bytes, of the first and the last size
    double to = 0;
    /// Seconds, and seconds a byte. Intervals hold what the sizes scatter about the line too. A message's may be below
    /// zero where bytes beyond a cache take longer than those before: the line is above zero in its sizes, and each
    /// interval is that of one while the other is known, as they err together.
    Coefficient per_message;
    Coefficient per_byte;
};

/// The time of a message by its size, in pieces.
struct MessageCurve {
    std::vector<CurveSegment> segments;  ///< by increasing size; empty when there was nothing to fit

    /// Seconds; between two segments by the earlier one's line up to `reach`.
    double at(double bytes) const;
    /// From the ends of both coefficients' intervals, as if they erred together: what another size would be measured
    /// to take. Between two segments either may hold.
    double low(double bytes) const;
    double high(double bytes) const;
    /// Largest whole size that goes by this segment. Where its line crosses the next one's in the gap between them, as
    /// where a cache ends; else the middle of the gap, on the scale of sizes, or the roundest size of a narrow gap,
    /// since protocols change at round sizes. Precondition: there is a next one.
    double reach(std::size_t segment) const;

  private:
    const CurveSegment& segment_of(double bytes) const;
    // Between two segments both are possible.
    bool may_be_of(std::size_t segment, double bytes) const;
};

/// Fits lines to the points and finds where one ends and the next begins.
///
/// Statement: minimises n ln(S/n) + p ln(n), S = Σ((t − a − b·s)/(t·d))² over all segments; a, b those of least S in
///            their segment. Where a line would fall, b is 0; where it would begin below zero in the first segment, or
///            be there at a size of its own, a is 0.
/// Symbols:   s bytes, t seconds, d its relative deviation; a, b of the segment that s is in; n points;
///            p = 4·segments − 2.
/// Source:    segmented regression by dynamic programming (Bellman and Roth 1969), Schwarz's criterion for the number
///            of segments, with a break counted twice, since its place is chosen among all: fewer than one curve of
///            noise in 50 then has one.
/// Range:     at least three sizes in a segment unless there are fewer in all. S is not taken below n, what the points'
///            own deviations leave, lest breaks be found in noise.
/// Test:      tests/calibrate/test_message_curve.cpp
MessageCurve fit_message_curve(std::vector<SizedTime> points);
/// The same through the medians of the times that were measured with each size.
MessageCurve fit_message_medians(const std::map<std::size_t, std::vector<double>>& seconds);

}  // namespace narrows
