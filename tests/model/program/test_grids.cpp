#include "model/program/grids.hpp"

#include <catch2/catch.hpp>
#include <set>

namespace narrows {

TEST_CASE("all grids are every factorisation once, in every order") {
    using Grids = std::vector<std::vector<int>>;
    CHECK(all_grids(7, 1) == Grids{{7}});
    CHECK(all_grids(6, 2) == Grids{{1, 6}, {2, 3}, {3, 2}, {6, 1}});
    const Grids of_72 = all_grids(72, 3);  // 2^3 in 10 ways, 3^2 in 6
    CHECK(of_72.size() == 60);
    CHECK(std::set(of_72.begin(), of_72.end()).size() == 60);
    for (const std::vector<int>& grid : of_72) CHECK(grid[0] * grid[1] * grid[2] == 72);
}

}  // namespace narrows
