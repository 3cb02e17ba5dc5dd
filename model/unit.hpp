#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/quantity.hpp"

namespace narrows {

/// What a written quantity measures. `cycles` and `cycles_per_byte` become times once a clock is known.
/// `money` is in any of several currencies, none of which is converted into another.
enum class Dimension { time, cycles, data, bandwidth, frequency, time_per_byte, cycles_per_byte, number, money, power };

/// Of the seconds and the bytes in a unit: 1/s is (-1, 0).
struct Exponents {
    int seconds = 0;
    int bytes = 0;

    friend bool operator==(const Exponents&, const Exponents&) = default;
};

/// A quantity as written: its value in base units (s, cycles, B, B/s, 1/s, s/B, cycles/B, 1, W, money its currency's)
/// and the unit it came in.
struct Measure {
    double value = 0;
    Dimension dimension = Dimension::number;
    std::string unit;  ///< as written, empty for a number; printing keeps it

    friend bool operator==(const Measure&, const Measure&) = default;
};

/// Reads `1.4 Gbit/s`, `86 cycles`, `512 MiB`, `25 ns`, `0.25 cycles/B`, `16`, `72/64 * 21/16`, `70 %`, `1200 USD`,
/// `350 W`.
/// KB is 1000 bytes, KiB is 1024. A product of fractions is a number.
/// Throws InputError for an empty text, a number that is not finite, an unknown unit (with a suggestion, one of what is
/// `expected` where that is given).
Measure parse_measure(std::string_view text, std::optional<Dimension> expected = std::nullopt);

/// `parse_measure` for a text that must measure a given thing; InputError names what was expected with an example.
Time parse_time(std::string_view text);
Data parse_data(std::string_view text);
Bandwidth parse_bandwidth(std::string_view text);
Rate parse_rate(std::string_view text);

/// The value in its own unit with enough digits to read back the same double when `exact` and of money, else four
/// significant ones.
std::string print(const Measure& measure, bool exact = false);

/// A value in the unit that suits its size: `11.77 µs`, `1.4 GB/s`, `512 MiB`, `15.36 G/s`.
std::string print(Time value);
std::string print(Data value);
std::string print(Bandwidth value);
std::string print(Rate value);

/// The base unit of a dimension as JSON writes it: `s`, `B/s`, `1/s`, ...
std::string_view base_unit(Dimension dimension);
/// The same of a measure: that of money is its currency.
std::string_view base_unit(const Measure& measure);
/// The exponents of a dimension's base unit; none of cycles, money and powers.
std::optional<Exponents> exponents_of(Dimension dimension);
/// The dimension of a unit with these exponents, where it has a name.
std::optional<Dimension> dimension_of(const Exponents& exponents);
/// What an error message calls a dimension: `a time`, `a bandwidth`, ...
std::string_view describe(Dimension dimension);
/// How one writes a quantity of this dimension, for error messages: `25 ns`, `1.4 Gbit/s`, ...
std::string_view example(Dimension dimension);

}  // namespace narrows
