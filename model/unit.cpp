#include "model/unit.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

struct Unit {
    std::string_view name;
    Dimension dimension;
    double factor;  // to the base unit
};

constexpr double kibi = 1024.0;

constexpr std::array units = {
    Unit{"s", Dimension::time, 1},
    Unit{"ms", Dimension::time, 1e-3},
    Unit{"us", Dimension::time, 1e-6},
    Unit{"µs", Dimension::time, 1e-6},
    Unit{"ns", Dimension::time, 1e-9},
    Unit{"ps", Dimension::time, 1e-12},
    Unit{"cycles", Dimension::cycles, 1},
    Unit{"cycle", Dimension::cycles, 1},
    Unit{"B", Dimension::data, 1},
    Unit{"KB", Dimension::data, 1e3},
    Unit{"kB", Dimension::data, 1e3},
    Unit{"MB", Dimension::data, 1e6},
    Unit{"GB", Dimension::data, 1e9},
    Unit{"TB", Dimension::data, 1e12},
    Unit{"KiB", Dimension::data, kibi},
    Unit{"MiB", Dimension::data, kibi* kibi},
    Unit{"GiB", Dimension::data, kibi* kibi* kibi},
    Unit{"TiB", Dimension::data, kibi* kibi* kibi* kibi},
    Unit{"B/s", Dimension::bandwidth, 1},
    Unit{"KB/s", Dimension::bandwidth, 1e3},
    Unit{"kB/s", Dimension::bandwidth, 1e3},
    Unit{"MB/s", Dimension::bandwidth, 1e6},
    Unit{"GB/s", Dimension::bandwidth, 1e9},
    Unit{"TB/s", Dimension::bandwidth, 1e12},
    Unit{"MiB/s", Dimension::bandwidth, kibi* kibi},
    Unit{"GiB/s", Dimension::bandwidth, kibi* kibi* kibi},
    Unit{"bit/s", Dimension::bandwidth, 0.125},
    Unit{"kbit/s", Dimension::bandwidth, 125},
    Unit{"Mbit/s", Dimension::bandwidth, 125e3},
    Unit{"Gbit/s", Dimension::bandwidth, 125e6},
    Unit{"Tbit/s", Dimension::bandwidth, 125e9},
    Unit{"Hz", Dimension::frequency, 1},
    Unit{"kHz", Dimension::frequency, 1e3},
    Unit{"MHz", Dimension::frequency, 1e6},
    Unit{"GHz", Dimension::frequency, 1e9},
    Unit{"1/s", Dimension::frequency, 1},
    Unit{"/s", Dimension::frequency, 1},
    Unit{"K/s", Dimension::frequency, 1e3},
    Unit{"M/s", Dimension::frequency, 1e6},
    Unit{"G/s", Dimension::frequency, 1e9},
    Unit{"UPS", Dimension::frequency, 1},
    Unit{"MUPS", Dimension::frequency, 1e6},
    Unit{"GUPS", Dimension::frequency, 1e9},
    Unit{"s/B", Dimension::time_per_byte, 1},
    Unit{"ns/B", Dimension::time_per_byte, 1e-9},
    Unit{"ps/B", Dimension::time_per_byte, 1e-12},
    Unit{"cycles/B", Dimension::cycles_per_byte, 1},
    Unit{"%", Dimension::number, 0.01},
    Unit{"", Dimension::number, 1},
};

const Unit* find_unit(std::string_view name) {
    for (const Unit& unit : units) {
        if (unit.name == name) return &unit;
    }
    return nullptr;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

// Takes a decimal number off the front of `text`. Hexadecimal, inf and nan are not numbers here.
double take_number(std::string_view& text, std::string_view whole) {
    const std::string copy(text);
    const bool decimal = !copy.empty() && (std::isdigit(static_cast<unsigned char>(copy[0])) ||
                                           (std::string_view("+-.").find(copy[0]) != std::string_view::npos &&
                                            copy.size() > 1 && copy.find_first_of("0123456789") <= 2));
    const bool hexadecimal = copy.size() > 1 && copy[0] == '0' && (copy[1] == 'x' || copy[1] == 'X');
    char* end = nullptr;
    const double value = decimal && !hexadecimal ? std::strtod(copy.c_str(), &end) : 0;
    if (end == nullptr || end == copy.c_str()) {
        throw InputError(fmt::format("'{}' is not a quantity: write a number and a unit, such as '25 ns'", whole));
    }
    if (!std::isfinite(value)) {
        throw InputError(fmt::format("'{}' is too large for a number", whole));
    }
    text = trimmed(text.substr(static_cast<std::size_t>(end - copy.c_str())));
    return value;
}

// Continues `72/64 * 21/16` after its first number.
double take_fractions(double value, std::string_view& text, std::string_view whole) {
    while (text.size() > 1 && (text[0] == '/' || text[0] == '*') && text[1] != 's') {
        const char operation = text[0];
        text = trimmed(text.substr(1));
        const double operand = take_number(text, whole);
        if (operation == '/' && operand == 0) {
            throw InputError(fmt::format("'{}' divides by zero", whole));
        }
        value = operation == '/' ? value / operand : value * operand;
    }
    return value;
}

double parse_as(std::string_view text, Dimension dimension) {
    const Measure measure = parse_measure(text);
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
std::string print_scaled(double value, std::span<const Scale> scales) {
    const Scale* best = &scales.front();
    for (const Scale& scale : scales) {
        if (std::abs(value) >= scale.factor * 0.99995) best = &scale;
    }
    return fmt::format("{:.4g} {}", value / best->factor, best->unit);
}

}  // namespace

Measure parse_measure(std::string_view text) {
    std::string_view rest = trimmed(text);
    if (rest.empty()) throw InputError("an empty text is not a quantity: write a number and a unit, such as '25 ns'");
    const double number = take_fractions(take_number(rest, trimmed(text)), rest, trimmed(text));
    const Unit* unit = find_unit(rest);
    if (unit == nullptr) {
        std::vector<std::string_view> names;
        for (const Unit& known : units) {
            if (!known.name.empty()) names.push_back(known.name);
        }
        throw InputError(
            fmt::format("unknown unit '{}' in '{}'{}", rest, trimmed(text), did_you_mean(std::string(rest), names)));
    }
    const double value = number * unit->factor;
    if (!std::isfinite(value)) throw InputError(fmt::format("'{}' is too large for a number", trimmed(text)));
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
    const double value = measure.value / unit->factor;
    std::string number = exact ? fmt::format("{}", value) : fmt::format("{:.4g}", value);
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
    static constexpr std::array scales = {Scale{1, "/s"}, Scale{1e3, "K/s"}, Scale{1e6, "M/s"}, Scale{1e9, "G/s"}};
    return print_scaled(value.si(), scales);
}

std::string_view base_unit(Dimension dimension) {
    switch (dimension) {
        case Dimension::time:
            return "s";
        case Dimension::cycles:
            return "cycles";
        case Dimension::data:
            return "B";
        case Dimension::bandwidth:
            return "B/s";
        case Dimension::frequency:
            return "1/s";
        case Dimension::time_per_byte:
            return "s/B";
        case Dimension::cycles_per_byte:
            return "cycles/B";
        case Dimension::number:
            return "1";
    }
    throw std::logic_error("unknown dimension");
}

std::string_view describe(Dimension dimension) {
    switch (dimension) {
        case Dimension::time:
            return "a time";
        case Dimension::cycles:
            return "a number of cycles";
        case Dimension::data:
            return "an amount of data";
        case Dimension::bandwidth:
            return "a bandwidth";
        case Dimension::frequency:
            return "a frequency";
        case Dimension::time_per_byte:
            return "a time per byte";
        case Dimension::cycles_per_byte:
            return "a number of cycles per byte";
        case Dimension::number:
            return "a number without a unit";
    }
    throw std::logic_error("unknown dimension");
}

std::string_view example(Dimension dimension) {
    switch (dimension) {
        case Dimension::time:
            return "25 ns";
        case Dimension::cycles:
            return "86 cycles";
        case Dimension::data:
            return "512 MiB";
        case Dimension::bandwidth:
            return "1.4 Gbit/s";
        case Dimension::frequency:
            return "700 MHz";
        case Dimension::time_per_byte:
            return "0.3 ns/B";
        case Dimension::cycles_per_byte:
            return "0.25 cycles/B";
        case Dimension::number:
            return "2";
    }
    throw std::logic_error("unknown dimension");
}

}  // namespace narrows
