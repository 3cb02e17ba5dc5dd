#pragma once

#include <optional>
#include <string>
#include <vector>

namespace narrows::testing {

/// A row of ground_truth.csv: the exact numbers of a network, those that are not known left out.
struct GroundTruth {
    std::string spec;
    int nodes = 0;
    std::optional<double> bisection, alpha, phi;
    std::string source;
    /// Whether the closed forms give all of B, α and φ exactly.
    bool closed = false;
    /// Whether a search finds them within seconds.
    bool searched = false;
};

/// All rows, in their order. Throws std::runtime_error naming the line of a malformed one.
std::vector<GroundTruth> ground_truth();

/// The number written `7`, `2.5` or `1/15`. Throws std::runtime_error when it is none.
double parse_fraction(const std::string& text);

}  // namespace narrows::testing
