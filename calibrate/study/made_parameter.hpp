#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "calibrate/fit/least_squares.hpp"
#include "model/machine.hpp"

namespace narrows {

/// A number of a machine.
inline Parameter made_parameter(std::string path, Measure measure, std::string source,
                                std::optional<Interval> interval = std::nullopt) {
    Parameter made;
    made.path = std::move(path);
    made.measure = std::move(measure);
    made.source = std::move(source);
    made.interval = interval;
    return made;
}

/// What was found by a fit, with an interval `widening` times as wide; neither is below zero.
inline Parameter calibrated(std::string path, const Coefficient& found, Dimension dimension, std::string unit,
                            double widening) {
    const double middle = std::max(0.0, found.value);
    const double low = std::max(0.0, middle - (found.value - found.low) * widening);
    const double high = middle + (found.high - found.value) * widening;
    return made_parameter(std::move(path), {middle, dimension, std::move(unit)}, "calibrated",
                          Interval{std::min(low, middle), std::max(high, middle)});
}

}  // namespace narrows
