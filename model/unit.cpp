#include "model/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "model/unit_suggestion.hpp"
#include "topologies/input_error.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

// One of a unit is 10^decimal * binary base units. Keeping the powers apart lets every double be written in any unit
// and read back to the last bit: powers of two are exact, and a power of ten only moves the decimal exponent.
struct Unit {
    std::string_view name;
    Dimension dimension;
    int decimal;
    double binary;
};

constexpr double kibi = 1024.0;
constexpr double bit = 0.125;

constexpr std::array units = {
    Unit{"s", Dimension::time, 0, 1},
    Unit{"ms", Dimension::time, -3, 1},
    Unit{"us", Dimension::time, -6, 1},
    Unit{"µs", Dimension::time, -6, 1},
    Unit{"ns", Dimension::time, -9, 1},
    Unit{"ps", Dimension::time, -12, 1},
    Unit{"cycles", Dimension::cycles, 0, 1},
    Unit{"cycle", Dimension::cycles, 0, 1},
    Unit{"B", Dimension::data, 0, 1},
    Unit{"KB", Dimension::data, 3, 1},
    Unit{"kB", Dimension::data, 3, 1},
    Unit{"MB", Dimension::data, 6, 1},
    Unit{"GB", Dimension::data, 9, 1},
    Unit{"TB", Dimension::data, 12, 1},
    Unit{"KiB", Dimension::data, 0, kibi},
    Unit{"MiB", Dimension::data, 0, kibi* kibi},
    Unit{"GiB", Dimension::data, 0, kibi* kibi* kibi},
    Unit{"TiB", Dimension::data, 0, kibi* kibi* kibi* kibi},
    Unit{"B/s", Dimension::bandwidth, 0, 1},
    Unit{"KB/s", Dimension::bandwidth, 3, 1},
    Unit{"kB/s", Dimension::bandwidth, 3, 1},
    Unit{"MB/s", Dimension::bandwidth, 6, 1},
    Unit{"GB/s", Dimension::bandwidth, 9, 1},
    Unit{"TB/s", Dimension::bandwidth, 12, 1},
    Unit{"MiB/s", Dimension::bandwidth, 0, kibi* kibi},
    Unit{"GiB/s", Dimension::bandwidth, 0, kibi* kibi* kibi},
    Unit{"bit/s", Dimension::bandwidth, 0, bit},
    Unit{"kbit/s", Dimension::bandwidth, 3, bit},
    Unit{"Mbit/s", Dimension::bandwidth, 6, bit},
    Unit{"Gbit/s", Dimension::bandwidth, 9, bit},
    Unit{"Tbit/s", Dimension::bandwidth, 12, bit},
    Unit{"Hz", Dimension::frequency, 0, 1},
    Unit{"kHz", Dimension::frequency, 3, 1},
    Unit{"MHz", Dimension::frequency, 6, 1},
    Unit{"GHz", Dimension::frequency, 9, 1},
    Unit{"1/s", Dimension::frequency, 0, 1},
    Unit{"/s", Dimension::frequency, 0, 1},
    Unit{"K/s", Dimension::frequency, 3, 1},
    Unit{"M/s", Dimension::frequency, 6, 1},
    Unit{"G/s", Dimension::frequency, 9, 1},
    Unit{"T/s", Dimension::frequency, 12, 1},
    Unit{"flop/s", Dimension::frequency, 0, 1},
    Unit{"Mflop/s", Dimension::frequency, 6, 1},
    Unit{"Gflop/s", Dimension::frequency, 9, 1},
    Unit{"Tflop/s", Dimension::frequency, 12, 1},
    Unit{"UPS", Dimension::frequency, 0, 1},
    Unit{"MUPS", Dimension::frequency, 6, 1},
    Unit{"GUPS", Dimension::frequency, 9, 1},
    Unit{"s/B", Dimension::time_per_byte, 0, 1},
    Unit{"ns/B", Dimension::time_per_byte, -9, 1},
    Unit{"ps/B", Dimension::time_per_byte, -12, 1},
    Unit{"cycles/B", Dimension::cycles_per_byte, 0, 1},
    Unit{"USD", Dimension::money, 0, 1},
    Unit{"EUR", Dimension::money, 0, 1},
    Unit{"GBP", Dimension::money, 0, 1},
    Unit{"CHF", Dimension::money, 0, 1},
    Unit{"JPY", Dimension::money, 0, 1},
    Unit{"CNY", Dimension::money, 0, 1},
    Unit{"INR", Dimension::money, 0, 1},
    Unit{"KRW", Dimension::money, 0, 1},
    Unit{"W", Dimension::power, 0, 1},
    Unit{"kW", Dimension::power, 3, 1},
    Unit{"MW", Dimension::power, 6, 1},
    Unit{"%", Dimension::number, -2, 1},
    Unit{"", Dimension::number, 0, 1},
};

struct DimensionRecord {
    std::string_view base_unit;
    std::string_view description;
    std::string_view example;
    std::optional<Exponents> exponents = std::nullopt;
};

// In the order of the enumeration.
constexpr std::array dimension_records = {
    DimensionRecord{"s", "a time", "25 ns", Exponents{1, 0}},
    DimensionRecord{"cycles", "a number of cycles", "86 cycles"},
    DimensionRecord{"B", "an amount of data", "512 MiB", Exponents{0, 1}},
    DimensionRecord{"B/s", "a bandwidth", "1.4 Gbit/s", Exponents{-1, 1}},
    DimensionRecord{"1/s", "a frequency", "700 MHz", Exponents{-1, 0}},
    DimensionRecord{"s/B", "a time per byte", "0.3 ns/B", Exponents{1, -1}},
    DimensionRecord{"cycles/B", "a number of cycles per byte", "0.25 cycles/B"},
    DimensionRecord{"1", "a number without a unit", "2", Exponents{0, 0}},
    DimensionRecord{"money", "an amount of money", "1200 USD"},
    DimensionRecord{"W", "a power", "350 W"},
};
static_assert(dimension_records.size() == static_cast<std::size_t>(Dimension::power) + 1);

const DimensionRecord& record_of(Dimension dimension) {
    return dimension_records.at(static_cast<std::size_t>(dimension));
}

const Unit* find_unit(std::string_view name) {
    for (const Unit& unit : units) {
        if (unit.name == name) return &unit;
    }
    return nullptr;
}

std::size_t digits_at(std::string_view text, std::size_t from) {
    std::size_t end = from;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    return end - from;
}

// Length of the decimal number at the front of `text`, 0 when there is none: `12`, `-1.5`, `.5`, `1e-3`.
// Hexadecimal, inf and nan are not numbers here.
std::size_t number_length(std::string_view text) {
    const std::size_t sign = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    const std::size_t whole = digits_at(text, sign);
    std::size_t end = sign + whole;
    if (end < text.size() && text[end] == '.') {
        const std::size_t fraction = digits_at(text, end + 1);
        if (whole + fraction == 0) return 0;
        end += 1 + fraction;
    } else if (whole == 0) {
        return 0;
    }
    if (end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        const std::size_t exponent_sign = text[end + 1] == '+' || text[end + 1] == '-' ? 1 : 0;
        const std::size_t exponent = digits_at(text, end + 1 + exponent_sign);
        if (exponent > 0) end += 1 + exponent_sign + exponent;
    }
    return end;
}

// A decimal number times a power of ten, rounded once.
double decimal_value(std::string_view number, int power, std::string_view whole) {
    if (number.starts_with('+')) number.remove_prefix(1);
    const auto e = number.find_first_of("eE");
    long long exponent = power;
    if (e != std::string_view::npos) {
        const std::string_view written = number.substr(e + (number[e + 1] == '+' ? 2 : 1));
        long long own = 0;
        const auto read = std::from_chars(written.data(), written.data() + written.size(), own);
        if (read.ec != std::errc() || std::abs(own) > 100000) own = written.starts_with('-') ? -100000 : 100000;
        exponent += own;
    }
    const std::string text = fmt::format("{}e{}", number.substr(0, e), exponent);
    double value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) {
        if (number.find_first_of("123456789") < e) {
            throw InputError(fmt::format("'{}' is too large or too small for a number", whole));
        }
        return 0;
    }
    return value;
}

std::string_view take_number(std::string_view& text, std::string_view whole) {
    const std::size_t length = number_length(text);
    if (length == 0) {
        throw InputError(fmt::format("'{}' is not a quantity: write a number and a unit, such as '25 ns'", whole));
    }
    const std::string_view number = text.substr(0, length);
    text = trimmed(text.substr(length));
    return number;
}

bool is_fraction(std::string_view text) {
    return text.size() > 1 && (text[0] == '/' || text[0] == '*') && text[1] != 's';
}

// Continues `72/64 * 21/16` after its first number.
double take_fractions(double value, std::string_view& text, std::string_view whole) {
    while (is_fraction(text)) {
        const char operation = text[0];
        text = trimmed(text.substr(1));
        const double operand = decimal_value(take_number(text, whole), 0, whole);
        if (operation == '/' && operand == 0) throw InputError(fmt::format("'{}' divides by zero", whole));
        value = operation == '/' ? value / operand : value * operand;
    }
    return value;
}

const Unit& require_unit(std::string_view name, std::string_view whole, std::optional<Dimension> expected) {
    if (const Unit* unit = find_unit(name)) return *unit;
    std::vector<NamedUnit> known;
    for (const Unit& unit : units) known.push_back({unit.name, unit.dimension});
    throw InputError(fmt::format("unknown unit '{}' in '{}'{}", name, whole, unit_suggestion(name, expected, known)));
}

// `digits` times 10^`exponent`, with an exponent only where many zeros would stand.
std::string decimal_text(std::string digits, int exponent) {
    while (digits.size() > 1 && digits.back() == '0') {
        digits.pop_back();
        ++exponent;
    }
    const int count = static_cast<int>(digits.size());
    const int point = count + exponent;  // digits before the decimal point
    if (point > 15 || point < -4) {
        const std::string fraction = count > 1 ? "." + digits.substr(1) : "";
        return fmt::format("{}{}e{}", digits[0], fraction, point - 1);
    }
    if (exponent >= 0) return digits + std::string(static_cast<std::size_t>(exponent), '0');
    if (point <= 0) return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    return digits.substr(0, static_cast<std::size_t>(point)) + "." + digits.substr(static_cast<std::size_t>(point));
}

// The shortest decimal that reads back as `value` in `unit`.
std::string exact_text(double value, const Unit& unit) {
    const double scaled = value / unit.binary;
    if (scaled == 0 || !std::isfinite(scaled)) return fmt::format("{}", std::abs(scaled));
    std::string shortest = fmt::format("{}", std::abs(scaled));
    const auto e = shortest.find('e');
    int exponent = e == std::string::npos ? 0 : std::stoi(shortest.substr(e + 1));
    shortest = shortest.substr(0, e);
    const auto point = shortest.find('.');
    if (point != std::string::npos) {
        exponent -= static_cast<int>(shortest.size() - point - 1);
        shortest.erase(point, 1);
    }
    const auto first = shortest.find_first_not_of('0');
    return (scaled < 0 ? "-" : "") + decimal_text(shortest.substr(first), exponent - unit.decimal);
}

double parse_as(std::string_view text, Dimension dimension) {
    const Measure measure = parse_measure(text, dimension);
    if (measure.dimension != dimension) {
        throw InputError(fmt::format("'{}' is {}, expected {} such as '{}'", text, describe(measure.dimension),
                                     describe(dimension), example(dimension)));
    }
    return measure.value;
}

struct Scale {
    double factor;
    std::string_view unit;
};

// The last scale that does not exceed the value, so that one to three digits stand before the point.
// With four digits, or in full above.
std::string digits(double value) {
    constexpr double least_in_full = 9999.5, most_in_full = 1e15;
    const bool in_full = std::abs(value) >= least_in_full && std::abs(value) < most_in_full;
    return in_full ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string print_scaled(double value, std::span<const Scale> scales) {
    const Scale* best = &scales.front();
    for (const Scale& scale : scales) {
        if (value == 0 && scale.factor == 1) best = &scale;
        if (std::abs(value) >= scale.factor * 0.99995) best = &scale;
    }
    return fmt::format("{} {}", digits(value / best->factor), best->unit);
}

}  // namespace

Measure parse_measure(std::string_view text, std::optional<Dimension> expected) {
    const std::string_view whole = trimmed(text);
    std::string_view rest = whole;
    if (rest.empty()) throw InputError("an empty text is not a quantity: write a number and a unit, such as '25 ns'");
    const std::string_view number = take_number(rest, whole);
    double value = 0;
    const Unit* unit = nullptr;
    if (is_fraction(rest)) {
        value = take_fractions(decimal_value(number, 0, whole), rest, whole);
        unit = &require_unit(rest, whole, expected);
        const double power = std::pow(10.0, std::abs(unit->decimal));
        value = (unit->decimal < 0 ? value / power : value * power) * unit->binary;
    } else {
        unit = &require_unit(rest, whole, expected);
        value = decimal_value(number, unit->decimal, whole) * unit->binary;
    }
    if (!std::isfinite(value)) throw InputError(fmt::format("'{}' is too large for a number", whole));
    return {value, unit->dimension, std::string(unit->name)};
}

Time parse_time(std::string_view text) {
    return Time(parse_as(text, Dimension::time));
}
Data parse_data(std::string_view text) {
    return Data(parse_as(text, Dimension::data));
}
Bandwidth parse_bandwidth(std::string_view text) {
    return Bandwidth(parse_as(text, Dimension::bandwidth));
}
Rate parse_rate(std::string_view text) {
    return Rate(parse_as(text, Dimension::frequency));
}

std::string print(const Measure& measure, bool exact) {
    const Unit* unit = find_unit(measure.unit);
    if (unit == nullptr) throw std::logic_error("a measure with an unknown unit: " + measure.unit);
    const double value = measure.value / unit->binary / std::pow(10.0, unit->decimal);
    const bool in_full = exact || measure.dimension == Dimension::money;
    const std::string number = in_full ? exact_text(measure.value, *unit) : digits(value);
    return unit->name.empty() ? number : fmt::format("{} {}", number, unit->name);
}

std::string print(Time value) {
    static constexpr std::array scales = {Scale{1e-12, "ps"}, Scale{1e-9, "ns"}, Scale{1e-6, "µs"}, Scale{1e-3, "ms"},
                                          Scale{1, "s"}};
    return print_scaled(value.si(), scales);
}

std::string print(Data value) {
    static constexpr std::array scales = {Scale{1, "B"}, Scale{kibi, "KiB"}, Scale{kibi * kibi, "MiB"},
                                          Scale{kibi * kibi * kibi, "GiB"}, Scale{kibi * kibi * kibi * kibi, "TiB"}};
    return print_scaled(value.si(), scales);
}

std::string print(Bandwidth value) {
    static constexpr std::array scales = {Scale{1, "B/s"}, Scale{1e3, "KB/s"}, Scale{1e6, "MB/s"}, Scale{1e9, "GB/s"},
                                          Scale{1e12, "TB/s"}};
    return print_scaled(value.si(), scales);
}

std::string print(Rate value) {
    static constexpr std::array scales = {Scale{1, "/s"}, Scale{1e3, "K/s"}, Scale{1e6, "M/s"}, Scale{1e9, "G/s"},
                                          Scale{1e12, "T/s"}};
    return print_scaled(value.si(), scales);
}

std::string_view base_unit(Dimension dimension) {
    return record_of(dimension).base_unit;
}

std::string_view base_unit(const Measure& measure) {
    return measure.dimension == Dimension::money ? std::string_view(measure.unit) : base_unit(measure.dimension);
}

std::optional<Exponents> exponents_of(Dimension dimension) {
    return record_of(dimension).exponents;
}

std::optional<Dimension> dimension_of(const Exponents& exponents) {
    const auto found =
        std::ranges::find_if(dimension_records, [&](const auto& record) { return record.exponents == exponents; });
    if (found == dimension_records.end()) return std::nullopt;
    return static_cast<Dimension>(found - dimension_records.begin());
}

std::string_view describe(Dimension dimension) {
    return record_of(dimension).description;
}

std::string_view example(Dimension dimension) {
    return record_of(dimension).example;
}

}  // namespace narrows
