#include "model/program/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr const char* second = "__second";
constexpr const char* byte = "__byte";

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Behind a number a unit: the longest of `GB/s` and `GB` that there is. Its end.
std::size_t end_of_unit(const std::string& text, std::size_t begin) {
    std::size_t end = begin;
    if (end < text.size() && text[end] == '%') return end + 1;
    while (end < text.size() && is_letter(text[end])) ++end;
    std::size_t behind = end;
    if (behind < text.size() && text[behind] == '/') ++behind;
    while (behind < text.size() && is_letter(text[behind])) ++behind;
    if (behind <= end + 1) return end;
    try {
        parse_measure("1 " + text.substr(begin, behind - begin));
        return behind;
    } catch (const InputError&) {
        return end;
    }
}

std::size_t end_of_number(const std::string& text, std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
    if (end >= text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent >= text.size() || !is_digit(text[exponent])) return end;
    while (exponent < text.size() && is_digit(text[exponent])) ++exponent;
    return exponent;
}

// The evaluator would take `n = 2` for giving n another value.
void refuse_assignment(const std::string& text) {
    for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
        const bool behind = at > 0 && std::string_view("=<>!").find(text[at - 1]) != std::string_view::npos;
        const bool before = at + 1 < text.size() && text[at + 1] == '=';
        if (!behind && !before) throw InputError(fmt::format("'{}' is not an expression: to compare write '=='", text));
    }
}

// `16 B * n` as `(16*__byte) * n`.
std::string with_unit_factors(const std::string& text) {
    std::string formula;
    std::size_t at = 0;
    while (at < text.size()) {
        if (is_letter(text[at])) {
            while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) formula += text[at++];
        } else if (is_digit(text[at]) || text[at] == '.') {
            const std::size_t end = end_of_number(text, at);
            std::size_t unit = end;
            while (unit < text.size() && text[unit] == ' ') ++unit;
            const std::size_t behind = end_of_unit(text, unit);
            if (behind > unit) {
                const std::string written = text.substr(at, end - at) + " " + text.substr(unit, behind - unit);
                const Amount amount = Amount::parse(written);
                formula +=
                    fmt::format("({:.17g}*{}^({})*{}^({}))", amount.value, second, amount.seconds, byte, amount.bytes);
                at = behind;
            } else {
                formula += text.substr(at, end - at);
                at = end;
            }
        } else {
            formula += text[at++];
        }
    }
    return formula;
}

mu::Parser parser_of(const std::string& formula) {
    mu::Parser parser;
    parser.ClearConst();
    parser.DefineFun("floor", static_cast<double (*)(double)>(std::floor));
    parser.DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
    parser.DefineFun("mod", static_cast<double (*)(double, double)>(std::fmod));
    parser.SetExpr(formula);
    return parser;
}

std::string of_units(const Amount& amount) {
    for (const Dimension known : {Dimension::time, Dimension::data, Dimension::bandwidth, Dimension::frequency,
                                  Dimension::time_per_byte, Dimension::number}) {
        if (amount.is(known)) return std::string(describe(known));
    }
    std::string text;
    if (amount.seconds != 0) text += fmt::format("s^{}", amount.seconds);
    if (amount.bytes != 0) text += fmt::format("{}B^{}", text.empty() ? "" : " ", amount.bytes);
    return "in " + text;
}

}  // namespace

void Origin::fail(const std::string& message) const {
    if (file.empty()) throw InputError(message);
    throw InputError(file, line, column, text, message);
}

Amount Amount::of(const Measure& measure) {
    const double value = measure.value;
    switch (measure.dimension) {
        case Dimension::time:
            return {value, 1, 0};
        case Dimension::data:
            return {value, 0, 1};
        case Dimension::bandwidth:
            return {value, -1, 1};
        case Dimension::frequency:
            return {value, -1, 0};
        case Dimension::time_per_byte:
            return {value, 1, -1};
        case Dimension::number:
            return {value, 0, 0};
        case Dimension::cycles:
        case Dimension::cycles_per_byte:
            break;
    }
    throw InputError("cycles have no clock here: write a time such as '25 ns'");
}

Amount Amount::parse(std::string_view text) {
    return of(parse_measure(text));
}

bool Amount::is(Dimension dimension) const {
    if (dimension == Dimension::cycles || dimension == Dimension::cycles_per_byte) return false;
    const Amount wanted = of(Measure{0, dimension, ""});
    return seconds == wanted.seconds && bytes == wanted.bytes;
}

Expression::Expression(std::string text, Origin origin) : text_(std::move(text)), origin_(std::move(origin)) {
    try {
        refuse_assignment(text_);
        formula_ = with_unit_factors(text_);
        names();
    } catch (const InputError& error) {
        origin_.fail(error.what());
    }
}

std::vector<std::string> Expression::names() const {
    try {
        mu::Parser parser = parser_of(formula_);
        std::vector<std::string> found;
        for (const auto& [name, address] : parser.GetUsedVar()) {
            if (!name.starts_with("__")) found.push_back(name);
        }
        return found;
    } catch (const mu::ParserError& error) {
        origin_.fail(fmt::format("'{}' is not an expression{}: write one such as '16 B * n^2 / P'", text_,
                                 error.GetToken().empty() ? "" : fmt::format(" (at '{}')", error.GetToken())));
    }
}

Amount Expression::at(const Amounts& known) const {
    mu::Parser parser = parser_of(formula_);
    std::map<std::string, double> values = {{second, 1}, {byte, 1}};
    std::vector<std::string> candidates;
    for (const auto& [name, amount] : known) candidates.push_back(name);
    const std::vector<std::string> used = names();
    for (const std::string& name : used) {
        if (!known.contains(name)) {
            origin_.fail(fmt::format("there is no '{}'{} (there are: {})", name, did_you_mean(name, candidates),
                                     fmt::join(candidates, ", ")));
        }
        values.emplace(name, 0);
    }
    for (auto& [name, value] : values) parser.DefineVar(name, &value);
    // In units of 1/`of_second` seconds and 1/`of_byte` bytes.
    const auto evaluated = [&](double of_second, double of_byte) {
        values[second] = of_second;
        values[byte] = of_byte;
        for (const std::string& name : used) {
            const Amount& amount = known.at(name);
            values[name] = amount.value * std::pow(of_second, amount.seconds) * std::pow(of_byte, amount.bytes);
        }
        try {
            int results = 0;
            const double* const values_of = parser.Eval(results);
            if (results == 1) return values_of[0];
            origin_.fail(
                fmt::format("'{}' is {} values: write a number with a point, such as '1.5 us'", text_, results));
        } catch (const mu::ParserError& error) {
            origin_.fail(fmt::format("'{}' cannot be evaluated: {}", text_, error.GetMsg()));
        }
    };
    Amount found;
    found.value = evaluated(1, 1);
    if (!std::isfinite(found.value)) {
        std::string with;
        for (const std::string& name : used)
            with += fmt::format("{}{} = {:g}", with.empty() ? "" : ", ", name, known.at(name).value);
        origin_.fail(fmt::format("'{}' has no finite value{}{}: does it divide by zero?", text_,
                                 with.empty() ? "" : " for ", with));
    }
    if (found.value == 0) return found;
    constexpr double largest = 1e60;
    if (std::abs(found.value) > largest || std::abs(found.value) < 1 / largest) {
        origin_.fail(fmt::format("'{}' is {:g}: no machine has such numbers", text_, found.value));
    }
    const auto exponent = [&](bool of_bytes) {
        std::optional<int> common;
        for (const int power : {1, 40, -40}) {
            const double scale = std::exp2(power);
            const double ratio = (of_bytes ? evaluated(1, scale) : evaluated(scale, 1)) / found.value;
            const double each = ratio > 0 ? std::log2(ratio) / power : 0.5;
            const double whole = std::round(each);
            if (std::abs(each - whole) > 1e-9 || (common && *common != static_cast<int>(whole))) {
                origin_.fail(
                    fmt::format("'{}' mixes units: add and compare only what has the same, such as bytes, and "
                                "round or take logarithms only of numbers",
                                text_));
            }
            common = static_cast<int>(whole);
        }
        return *common;
    };
    found.seconds = exponent(false);
    found.bytes = exponent(true);
    return found;
}

// What it is at other values of its names, which tells the unit of a zero; nothing where it has no value there.
Amount Expression::elsewhere(const Amounts& known) const {
    Amounts others = known;
    for (auto& [name, amount] : others) amount.value = 1.37 * amount.value + 1.234;
    try {
        return at(others);
    } catch (const InputError&) {
        return {};
    }
}

double Expression::at(const Amounts& known, Dimension dimension) const {
    const Amount value = at(known);
    const Amount found = value.value == 0 ? elsewhere(known) : value;
    if (found.value == 0 || found.is(dimension)) return value.value;
    origin_.fail(fmt::format("'{}' is {}, expected {} such as '{}'", text_, of_units(found), describe(dimension),
                             example(dimension)));
}

}  // namespace narrows
