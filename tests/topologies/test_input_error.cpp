#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "topologies/input_error.hpp"

using namespace narrows;

TEST_CASE("the edit distance counts insertions deletions replacements and swaps") {
    CHECK(edit_distance("torus", "torus") == 0);
    CHECK(edit_distance("", "mesh") == 4);
    CHECK(edit_distance("tours", "torus") == 1);
    CHECK(edit_distance("port", "ports") == 1);
    CHECK(edit_distance("mash", "mesh") == 1);
}

TEST_CASE("a near word is suggested and a far one is not") {
    const std::vector<std::string> names{"mesh", "torus", "hypercube"};
    CHECK(did_you_mean("tourus", names) == ", did you mean 'torus'?");
    CHECK(did_you_mean("dragonfly", names).empty());
}
