#pragma once

#include <cstdint>
#include <vector>

namespace narrows {

/// Every grid of so many dimensions that so many ranks can have, by rising first dimensions. Precondition: `ranks` in
/// [1, 2^31), `dimensions` at least 1. Test: tests/model/program/test_grids.cpp
std::vector<std::vector<int>> all_grids(std::int64_t ranks, int dimensions);

}  // namespace narrows
