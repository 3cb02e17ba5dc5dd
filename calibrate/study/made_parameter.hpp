#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "calibrate/fit/least_squares.hpp"
#include "model/machine.hpp"
#include "topologies/number_text.hpp"

namespace narrows {

/// The number of so many significant digits that is nearest.
inline double in_digits(double number, int digits) {
    return to_number(fmt::format("{:.{}g}", number, digits)).value_or(number);
}

/// How surely a correlation is known.
inline constexpr int correlation_digits = 4;

/// A number of a machine; one with an interval in seven digits, more than anything is measured to.
inline Parameter made_parameter(std::string path, Measure measure, std::string source,
                                std::optional<Interval> interval = std::nullopt) {
    constexpr int digits = 7;
    Parameter made;
    made.path = std::move(path);
    made.measure = std::move(measure);
    made.source = std::move(source);
    if (interval) {
        made.measure.value = in_digits(made.measure.value, digits);
        made.interval = Interval{in_digits(interval->low, digits), in_digits(interval->high, digits)};
    }
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
