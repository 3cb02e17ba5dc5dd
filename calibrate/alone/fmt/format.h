#pragma once

// As much of {fmt} as the measuring program needs, where nothing but a compiler is: replacement fields in order, without
// a format or with `.Nf`, `.Ng` and `x`.
#include <iomanip>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

namespace fmt {

template <class Range>
struct Joined {
    const Range& range;
    std::string_view separator;
};
template <class Range>
Joined<Range> join(const Range& range, std::string_view separator) {
    return {range, separator};
}
template <class Range>
std::ostream& operator<<(std::ostream& out, const Joined<Range>& joined) {
    bool first = true;
    for (const auto& one : joined.range) {
        if (!first) out << joined.separator;
        out << one;
        first = false;
    }
    return out;
}

/// Writes `text` up to its next replacement field and returns what is behind that; `spec` is what the field says.
inline std::string_view up_to_field(std::ostream& out, std::string_view text, std::string_view& spec) {
    spec = {};
    while (!text.empty()) {
        const char c = text.front();
        const bool doubled = text.size() > 1 && text[1] == c;
        if (c == '{' && !doubled) {
            const std::size_t end = text.find('}');
            spec = text.substr(1, end - 1);
            return text.substr(end + 1);
        }
        out << c;
        text.remove_prefix((c == '{' || c == '}') && doubled ? 2 : 1);
    }
    return text;
}

template <class Value>
void put(std::ostream& out, std::string_view spec, const Value& value) {
    constexpr int exact = 17;
    std::ostringstream one;
    one << std::setprecision(exact);
    if (spec.starts_with(":.")) {
        one << std::setprecision(std::stoi(std::string(spec.substr(2))));
        if (spec.back() == 'f') one << std::fixed;
    }
    if (spec == ":x") one << std::hex;
    one << value;
    out << one.str();
}

template <class... Values>
std::string format(std::string_view text, const Values&... values) {
    std::ostringstream out;
    std::string_view spec;
    const auto next = [&](const auto& value) {
        text = up_to_field(out, text, spec);
        put(out, spec, value);
    };
    (next(values), ...);
    up_to_field(out, text, spec);
    return out.str();
}

}  // namespace fmt
