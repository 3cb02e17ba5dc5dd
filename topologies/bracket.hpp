#pragma once

#include <string>
#include <utility>

namespace narrows {

/// What is known of a number that may be hard to compute: it lies in [lower, upper]. Both ends are proven; when they
/// meet, the number is exact. Never NaN; infinite where there is nothing to cut (a network of one node).
struct Bracket {
    double lower = 0;
    double upper = 0;
    /// How it was found: "closed form", "exhaustive search", …
    std::string method;
    /// The proof in words, such as a cut with its number of links.
    std::string certificate;
    /// How the lower and the upper end were found, where that differs; empty: by `method`.
    std::string lower_method = {};
    std::string upper_method = {};

    const std::string& method_of_lower() const { return lower_method.empty() ? method : lower_method; }
    const std::string& method_of_upper() const { return upper_method.empty() ? method : upper_method; }
    /// Whether both ends meet.
    bool exact() const { return lower == upper; }
};

/// A bracket whose ends meet at `value`.
inline Bracket exactly(double value, std::string method, std::string certificate) {
    return {value, value, std::move(method), std::move(certificate)};
}

}  // namespace narrows
