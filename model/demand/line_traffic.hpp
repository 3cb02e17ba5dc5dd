#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/closed_forms.hpp"

namespace narrows {

/// Messages of one operation of a rank: along every dimension of a grid of all ranks, the first fastest, one message to
/// a random rank of the same line, itself included. One dimension of all ranks is uniform traffic.
struct LineTraffic {
    std::vector<std::int64_t> shape;

    std::int64_t ranks() const;
};

/// Messages of an operation that go to another rank: sum over dimensions of (X - 1)/X.
double hops(const LineTraffic& traffic);

/// Messages that leave the ranks first … end-1 when each of them makes one operation.
///
/// Statement: sum over dimensions of (n - sum over lines of c^2 / X).
/// Symbols:   n = end - first ranks, X size of the dimension, c ranks of the line that are among them.
/// Source:    derived: of a line with c ranks inside each sends to X - c others with probability 1/X.
/// Range:     0 <= first <= end <= ranks; O(dimensions).
/// Test:      tests/model/demand/test_line_traffic.cpp (enumeration)
double leaving(const LineTraffic& traffic, std::int64_t first, std::int64_t end);

/// What crosses the boundaries of groups of ranks when every rank makes one operation.
struct Crossing {
    double all = 0;      ///< messages that leave their group
    double fullest = 0;  ///< the most that leave one group, over the links of that group
};

/// Groups of `size` consecutive ranks, the last perhaps with fewer, each with `links`.
Crossing crossing(const LineTraffic& traffic, std::int64_t size, double links);

/// The group of each rank as listed, with the links of each group. O(ranks * dimensions).
Crossing crossing(const LineTraffic& traffic, std::span<const int> group, std::span<const double> links);

}  // namespace narrows
