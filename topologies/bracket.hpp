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

    /// Whether both ends meet.
    bool exact() const { return lower == upper; }
};

/// A bracket whose ends meet at `value`.
inline Bracket exactly(double value, std::string method, std::string certificate) {
    return {value, value, std::move(method), std::move(certificate)};
}

}  // namespace narrows
