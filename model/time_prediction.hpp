#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/path/path.hpp"
#include "model/quantity.hpp"
#include "model/residual_surface.hpp"

namespace narrows {

/// A time that is predicted: a critical path whose terms sum to it.
struct TimePrediction {
    Time time;
    std::optional<Time> low;  ///< 95 % interval from the intervals of the machine's parameters, if they have any
    std::optional<Time> high;
    MeasuredBeside beside;                ///< which measured runs say; the interval is theirs where there are any
    std::vector<NamedTime> terms;         ///< none of no time, none twice
    std::string bottleneck;               ///< the largest term, the first among equals; `nothing` of a time of zero
    std::optional<Bandwidth> throughput;  ///< bytes that a node moves in this time, where that is asked for
    std::string_view estimate;            ///< how the time follows from its terms
    std::string_view source;              ///< paper and equation, or `derived`
    std::string assumptions;              ///< where the model holds
};

/// The prediction with its times as long as runs beside it say.
TimePrediction corrected(TimePrediction prediction, MeasuredBeside beside);

/// Times one after the other: terms of one name together, errors of measured runs as if they erred together.
class SumOfTimes {
  public:
    void add(const TimePrediction& part, double times = 1);
    /// The sum, without words.
    TimePrediction take() const;

  private:
    Breakdown whole_;
    MeasuredBeside beside_;  // its widths times seconds
    Time measured_;
};

/// The prediction whose terms are those of `path`, those of one name together.
TimePrediction critical_path(const Breakdown& path);

}  // namespace narrows
