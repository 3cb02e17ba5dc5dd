#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/path/path.hpp"
#include "model/quantity.hpp"

namespace narrows {

/// A time that is predicted: a critical path whose terms sum to it.
struct TimePrediction {
    Time time;
    std::optional<Time> low;  ///< 95 % interval from the intervals of the machine's parameters, if they have any
    std::optional<Time> high;
    /// Half of that interval on the scale of logarithms, where measured residuals say it; else 0.
    double measured_within = 0;
    std::vector<NamedTime> terms;         ///< none of no time, none twice
    std::string bottleneck;               ///< the largest term, the first among equals; `nothing` of a time of zero
    std::optional<Bandwidth> throughput;  ///< bytes that a node moves in this time, where that is asked for
    std::string_view estimate;            ///< how the time follows from its terms
    std::string_view source;              ///< paper and equation, or `derived`
    std::string assumptions;              ///< where the model holds
};

/// The prediction with its time, terms and throughput corrected by what was measured beside it, `within` as
/// `measured_within`.
TimePrediction corrected(TimePrediction prediction, double factor, double within);

/// The prediction whose terms are those of `path`, those of one name together.
TimePrediction critical_path(const Breakdown& path);

}  // namespace narrows
