#pragma once

#include <functional>
#include <vector>

#include "calibrate/kernels/messages/launch.hpp"

namespace narrows {

/// How fast a kernel goes over a link, by few short samples: so that no measurement is begun that takes too long.
class LinkPace {
  public:
    /// `points` in increasing order of sizes, at least one; `start` are the seconds that a measurement takes beside its
    /// samples.
    LinkPace(std::vector<MessagePoint> points, double start);

    /// Seconds of one message, as the kernel counts it: between two sizes and beyond the largest along a line; from a
    /// single size in proportion to the bytes above 256. No size takes longer than a larger one: where one did,
    /// somebody else had the core.
    double seconds(std::size_t bytes) const;

    /// Seconds that a measurement takes, at most.
    double seconds_of(const MessageOptions& options) const;

  private:
    std::vector<MessagePoint> points_;
    double start_;
};

/// Measures a few of the sizes of `options`, from the smallest on, as long as the next takes no longer than a second by
/// all that is known. All ranks call it together; what rank 0 gets counts.
LinkPace probe_link(const MessageOptions& options, const Launch& launch);

/// A series of sizes to be measured, and what of it may be less.
struct MessageSeries {
    MessageOptions options;
    bool chosen_repeats = false;     ///< by the user, who gets them
    std::vector<std::size_t> asked;  ///< in increasing order, of which the largest may be left out; none may: empty
    /// The sizes of a series of those asked for up to this one.
    std::function<std::vector<std::size_t>(std::size_t largest)> sizes_up_to;
};

/// How much of a series is to be measured.
struct SeriesLimits {
    int messages = 0;
    int repeats = 0;
    std::size_t largest = 0;  ///< of the sizes asked for
};

/// Such that a series takes `seconds` at most, if it can: where it would take longer, first a sample has fewer
/// messages, down to eight; then there are fewer repeats, down to the least that have an interval of 95 %; then one
/// message a sample where that is enough to time it; then fewer sizes, from the largest on; and then fewer repeats,
/// down to three.
SeriesLimits limits_within(double seconds, const MessageSeries& series, const LinkPace& pace);

}  // namespace narrows
