#include "model/program/grids.hpp"

#include <utility>

#include "topologies/shape.hpp"

namespace narrows {

std::vector<std::vector<int>> all_grids(std::int64_t ranks, int dimensions) {
    if (dimensions == 1) return {{static_cast<int>(ranks)}};
    std::vector<std::vector<int>> grids;
    for (const std::int64_t size : divisors(ranks)) {
        for (std::vector<int>& rest : all_grids(ranks / size, dimensions - 1)) {
            rest.insert(rest.begin(), static_cast<int>(size));
            grids.push_back(std::move(rest));
        }
    }
    return grids;
}

}  // namespace narrows
