#include "model/program/grids.hpp"

#include <utility>

namespace narrows {

std::vector<std::vector<int>> all_grids(std::int64_t ranks, int dimensions) {
    if (dimensions == 1) return {{static_cast<int>(ranks)}};
    std::vector<std::vector<int>> grids;
    for (std::int64_t size = 1; size <= ranks; ++size) {
        if (ranks % size != 0) continue;
        for (std::vector<int>& rest : all_grids(ranks / size, dimensions - 1)) {
            rest.insert(rest.begin(), static_cast<int>(size));
            grids.push_back(std::move(rest));
        }
    }
    return grids;
}

}  // namespace narrows
