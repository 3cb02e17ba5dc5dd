#include "model/program/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// muParser computes with numbers: here these are places in a list of amounts, so that every operation sees units and no
// branch of a choice is passed over.
struct Evaluation {
    std::string text;
    std::vector<Amount> amounts = {};
};
thread_local Evaluation* evaluation = nullptr;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse(const std::string& why) {
    throw InputError(fmt::format("'{}' {}", evaluation->text, why));
}

// What is infinite is no number: it must not vanish as a divisor or beside a minimum.
double kept(Amount amount) {
    if (!std::isfinite(amount.value)) amount.value = not_a_number;
    evaluation->amounts.push_back(amount);
    return static_cast<double>(evaluation->amounts.size() - 1);
}

// The two ends of a choice are negative: only `?` takes them.
Amount amount_at(double place) {
    if (place < 0) refuse("is no expression: write a choice as 'a ? b : c', in brackets within another");
    return evaluation->amounts.at(static_cast<std::size_t>(place));
}

std::string of_units(const Amount& amount) {
    if (const auto known = amount.dimension()) return std::string(describe(*known));
    std::string text;
    if (amount.seconds != 0) text += fmt::format("s^{}", amount.seconds);
    if (amount.bytes != 0) text += fmt::format("{}B^{}", text.empty() ? "" : " ", amount.bytes);
    return "in " + text;
}

// An amount of so much in the units of both.
Amount in_units_of_both(double value, const Amount& a, const Amount& b) {
    if (!a.any_unit && !b.any_unit && (a.seconds != b.seconds || a.bytes != b.bytes)) {
        refuse(fmt::format("mixes units: one is {}, the other {}", of_units(a), of_units(b)));
    }
    const Amount& units = a.any_unit ? b : a;
    return {value, units.seconds, units.bytes, units.any_unit && value == 0};
}

double plain(const Amount& amount) {
    if (amount.any_unit || amount.is(Dimension::number)) return amount.value;
    refuse(fmt::format("mixes units: this function, power or condition is of numbers, not of {}", of_units(amount)));
}

using Binary = Amount (*)(const Amount&, const Amount&);

template <Binary operation>
double binary(double a, double b) {
    return kept(operation(amount_at(a), amount_at(b)));
}

template <double (*function)(double)>
double of_number(double a) {
    return kept({function(plain(amount_at(a)))});
}

template <class Compare>
double compared(double a, double b) {
    const Amount left = amount_at(a), right = amount_at(b);
    in_units_of_both(0, left, right);
    if (std::isnan(left.value) || std::isnan(right.value)) return kept({not_a_number});
    return kept({Compare()(left.value, right.value) ? 1.0 : 0.0});
}

Amount sum(const Amount& a, const Amount& b) {
    return in_units_of_both(a.value + b.value, a, b);
}
Amount difference(const Amount& a, const Amount& b) {
    return in_units_of_both(a.value - b.value, a, b);
}
Amount product(const Amount& a, const Amount& b) {
    return {a.value * b.value, a.seconds + b.seconds, a.bytes + b.bytes, a.any_unit || b.any_unit};
}
Amount quotient(const Amount& a, const Amount& b) {
    return {a.value / b.value, a.seconds - b.seconds, a.bytes - b.bytes, a.any_unit};
}
Amount remainder(const Amount& a, const Amount& b) {
    return in_units_of_both(std::fmod(a.value, b.value), a, b);
}
// One side may decide, whatever the other is.
Amount decided(const Amount& a, const Amount& b, bool decides) {
    const auto is = [decides](double value) { return !std::isnan(value) && (value != 0) == decides; };
    if (is(plain(a)) || is(plain(b))) return {decides ? 1.0 : 0.0};
    return {std::isnan(a.value + b.value) ? not_a_number : decides ? 0.0 : 1.0};
}
Amount both(const Amount& a, const Amount& b) {
    return decided(a, b, false);
}
Amount either(const Amount& a, const Amount& b) {
    return decided(a, b, true);
}

Amount power(const Amount& base, const Amount& exponent) {
    const double times = plain(exponent);
    const auto multiple = [times](int unit) {
        if (unit == 0) return 0;
        const double whole = std::round(unit * times);
        constexpr double exact = 1e-9;
        constexpr double most = 1000;
        if (!(std::abs(whole - unit * times) <= exact && std::abs(whole) <= most)) {
            refuse("mixes units: the power has no whole units");
        }
        return static_cast<int>(whole);
    };
    return {std::pow(base.value, times), multiple(base.seconds), multiple(base.bytes)};
}

double square_root(double a) {
    return kept(power(amount_at(a), {0.5}));
}

template <bool least>
double extreme(const double* places, int count) {
    Amount found = amount_at(places[0]);
    for (int i = 1; i < count; ++i) {
        const Amount next = amount_at(places[i]);
        const double further = least ? std::min(found.value, next.value) : std::max(found.value, next.value);
        found = in_units_of_both(std::isnan(next.value) ? next.value : further, found, next);
    }
    return kept(found);
}

double negative(double a) {
    Amount amount = amount_at(a);
    amount.value = -amount.value;
    return kept(amount);
}

double absolute(double a) {
    Amount amount = amount_at(a);
    amount.value = std::abs(amount.value);
    return kept(amount);
}

// `b : c`: both, one behind the other, in the units of both.
double ends_of_choice(double b, double c) {
    const Amount first = amount_at(b), second = amount_at(c);
    kept(in_units_of_both(first.value, first, second));
    return -kept(in_units_of_both(second.value, first, second));
}

double choice(double condition, double ends) {
    const double chosen = plain(amount_at(condition));
    if (ends >= 0) amount_at(-1);
    if (!std::isnan(chosen)) return chosen != 0 ? -ends - 1 : -ends;
    Amount neither = amount_at(-ends);
    neither.value = not_a_number;
    return kept(neither);
}

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

// A number, with a unit or without.
int read_number(const char* rest, int* position, double* place) {
    const std::string text = rest;
    // A sign that changes nothing: muParser would read the number behind it, without knowing of places.
    const std::size_t begin = text[0] == '+' ? std::min(text.find_first_not_of(' ', 1), text.size()) : 0;
    if (!is_digit(text[begin]) && text[begin] != '.') return 0;
    const std::size_t end = end_of_number(text, begin);
    const std::size_t unit = std::min(text.find_first_not_of(' ', end), text.size());
    const std::size_t behind = end_of_unit(text, unit);
    Amount amount =
        Amount::parse(text.substr(begin, end - begin) + (behind > unit ? " " + text.substr(unit, behind - unit) : ""));
    amount.any_unit = amount.value == 0 && amount.is(Dimension::number);
    *place = kept(amount);
    *position += static_cast<int>(behind > unit ? behind : end);
    return 1;
}

// muParser's own `?` evaluates one end only.
constexpr char choice_sign = '~', ends_sign = '$';

mu::Parser parser_of(std::string text) {
    for (char& sign : text) {
        if (sign == choice_sign || sign == ends_sign) throw mu::ParserError();
        sign = sign == '?' ? choice_sign : sign == ':' ? ends_sign : sign;
    }
    mu::Parser parser;
    parser.ClearConst();
    parser.ClearFun();
    parser.ClearInfixOprt();
    parser.EnableBuiltInOprt(false);
    parser.DefineOprtChars("+-*/^<>=!&|~$");
    parser.DefineInfixOprtChars("-");
    parser.AddValIdent(read_number);
    enum Precedence : unsigned {
        choosing = 1,
        disjunction,
        conjunction,
        comparison,
        adding,
        multiplying,
        sign,
        powers
    };
    const auto define = [&](const char* name, double (*function)(double, double), unsigned precedence,
                            mu::EOprtAssociativity side = mu::oaLEFT) {
        parser.DefineOprt(name, function, precedence, side);
    };
    define(std::string(1, choice_sign).c_str(), choice, choosing, mu::oaRIGHT);
    define(std::string(1, ends_sign).c_str(), ends_of_choice, choosing, mu::oaRIGHT);
    define("||", binary<either>, disjunction);
    define("&&", binary<both>, conjunction);
    define("<", compared<std::less<>>, comparison);
    define(">", compared<std::greater<>>, comparison);
    define("<=", compared<std::less_equal<>>, comparison);
    define(">=", compared<std::greater_equal<>>, comparison);
    define("==", compared<std::equal_to<>>, comparison);
    define("!=", compared<std::not_equal_to<>>, comparison);
    define("+", binary<sum>, adding);
    define("-", binary<difference>, adding);
    define("*", binary<product>, multiplying);
    define("/", binary<quotient>, multiplying);
    define("^", binary<power>, powers, mu::oaRIGHT);
    parser.DefineInfixOprt("-", negative, sign, false);
    parser.DefineFun("min", extreme<true>, false);
    parser.DefineFun("max", extreme<false>, false);
    parser.DefineFun("mod", binary<remainder>, false);
    parser.DefineFun("abs", absolute, false);
    parser.DefineFun("sqrt", square_root, false);
    parser.DefineFun("exp", of_number<std::exp>, false);
    parser.DefineFun("ln", of_number<std::log>, false);
    parser.DefineFun("log2", of_number<std::log2>, false);
    parser.DefineFun("log10", of_number<std::log10>, false);
    parser.DefineFun("floor", of_number<std::floor>, false);
    parser.DefineFun("ceil", of_number<std::ceil>, false);
    parser.DefineFun("rint", of_number<std::rint>, false);
    parser.SetExpr(text);
    return parser;
}

}  // namespace

Amount Amount::of(const Measure& measure) {
    const Dimension dimension = measure.dimension;
    if (const auto exponents = exponents_of(dimension)) return {measure.value, exponents->seconds, exponents->bytes};
    if (dimension == Dimension::cycles || dimension == Dimension::cycles_per_byte) {
        throw InputError("cycles have no clock here: write a time such as '25 ns'");
    }
    throw InputError(
        fmt::format("{} has no place in an expression: prices and powers are of a machine file", describe(dimension)));
}

Amount Amount::parse(std::string_view text) {
    if (text == "yes" || text == "no") return {text == "yes" ? 1.0 : 0.0};
    return of(parse_measure(text));
}

Expression::Expression(std::string text, Origin origin) : text_(std::move(text)), origin_(std::move(origin)) {
    evaluated([&](mu::Parser& parser) {
        for (const auto& [name, place] : parser.GetUsedVar()) names_.push_back(name);
    });
}

// What `work` does with a parser of the expression; what that throws is told with its place.
template <class Work>
void Expression::evaluated(const Work& work) const {
    Evaluation here{text_};
    evaluation = &here;
    try {
        mu::Parser parser = parser_of(text_);
        work(parser);
    } catch (const InputError& error) {
        origin_.fail(error.what());
    } catch (const mu::ParserError& error) {
        origin_.fail(fmt::format("'{}' is not an expression{}: write one such as '16 B * n^2 / P'", text_,
                                 error.GetToken().empty() ? "" : fmt::format(" (at '{}')", error.GetToken())));
    }
}

Amount Expression::at(const Amounts& known) const {
    std::vector<std::string> candidates;
    for (const auto& [name, amount] : known) candidates.push_back(name);
    std::vector<double> places(names_.size());
    Amount found;
    evaluated([&](mu::Parser& parser) {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const auto amount = known.find(names_[i]);
            if (amount == known.end()) refuse_name("there is no", names_[i], candidates, Offered::all);
            places[i] = kept(amount->second);
            parser.DefineVar(names_[i], &places[i]);
        }
        int results = 0;
        const double* const values = parser.Eval(results);
        if (results != 1) {
            refuse(fmt::format("is {} values: write a number with a point, such as '1.5 us'", results));
        }
        found = amount_at(values[0]);
    });
    if (!std::isfinite(found.value)) {
        std::string with;
        for (const std::string& name : names_)
            with += fmt::format("{}{} = {:g}", with.empty() ? "" : ", ", name, known.at(name).value);
        origin_.fail(
            fmt::format("'{}' has no finite value{}{}: it divides by zero, takes a root or logarithm of what has none, "
                        "or overflows",
                        text_, with.empty() ? "" : " for ", with));
    }
    constexpr double largest = 1e60;
    if (found.value != 0 && (std::abs(found.value) > largest || std::abs(found.value) < 1 / largest)) {
        origin_.fail(fmt::format("'{}' is {:g}: no machine has such numbers", text_, found.value));
    }
    return found;
}

double Expression::at(const Amounts& known, Dimension dimension) const {
    const Amount found = at(known);
    if (found.any_unit || found.is(dimension)) return found.value;
    origin_.fail(fmt::format("'{}' is {}, expected {} such as '{}'", text_, of_units(found), describe(dimension),
                             example(dimension)));
}

}  // namespace narrows
