#pragma once

#include <vector>

#include "model/gups/placement.hpp"

namespace narrows {

/// Shapes of the ranks that software routing may take: the usual one, then all of up to four dimensions by rising
/// sizes, and those whose first dimension is a node. Left out are those of which no bucket would hold an update, and
/// shapes of the nodes with as many dimensions as the network, which are another network. Test:
/// tests/model/test_gups.cpp
std::vector<std::vector<int>> routed_shapes(const Placement& usual);

/// The largest bucket of such a shape, and its halves.
std::vector<int> routed_buckets(const std::vector<int>& shape);

}  // namespace narrows
