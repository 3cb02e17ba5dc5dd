#include <catch2/catch.hpp>

#include "topologies/union_find.hpp"

using namespace narrows;

TEST_CASE("sets that are joined are numbered in the order of their first members") {
    UnionFind sets(6);
    CHECK(sets.sets() == 6);
    CHECK(sets.join(1, 4));
    CHECK(sets.find(1) == 4);
    CHECK(sets.join(5, 0));
    CHECK_FALSE(sets.join(4, 1));
    CHECK(sets.sets() == 4);
    CHECK(sets.numbers() == std::vector{0, 1, 2, 3, 1, 0});
    CHECK(sets.join(2, 0));
    CHECK(sets.add() == 6);
    CHECK(sets.numbers() == std::vector{0, 1, 0, 2, 1, 0, 3});
    CHECK(sets.sets() == 4);
}
