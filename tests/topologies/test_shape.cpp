#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/error_of.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

using namespace narrows;
using Shape = std::vector<int>;

TEST_CASE("a shape is its dimensions joined by x") {
    CHECK(parse_shape("64x32x32") == Shape{64, 32, 32});
    CHECK(parse_shape("7") == Shape{7});
    CHECK(parse_shape("4X2") == Shape{4, 2});
    CHECK(parse_shape("1048576x1048576") == Shape{1 << 20, 1 << 20});
    for (const char* text : {"64x32x32", "7", "1", "8x32x16"}) CHECK(format_shape(parse_shape(text)) == text);
}

TEST_CASE("a malformed shape is an error that says what to write") {
    const auto message = [](const std::string& text) { return error_of([&] { parse_shape(text); }); };
    CHECK(message("") == "shape '' lacks a dimension: write it like 64x32x32");
    CHECK(message("8x") == "shape '8x' lacks a dimension: write it like 64x32x32");
    CHECK(message("x8") == "shape 'x8' lacks a dimension: write it like 64x32x32");
    CHECK(message("8x0x2") == "in shape '8x0x2', dimension 0 is out of range: give one from 1 to 2147483647");
    CHECK(message("-8x2") == "in shape '-8x2', dimension -8 is out of range: give one from 1 to 2147483647");
    CHECK(message("8xtwo") == "in shape '8xtwo', dimension 'two' is not a whole number: write decimal digits only");
    CHECK(message("8.5x2") == "in shape '8.5x2', dimension '8.5' is not a whole number: write decimal digits only");
    CHECK(message("8 x2") == "in shape '8 x2', dimension '8 ' is not a whole number: write decimal digits only");
    CHECK(message("99999999999999999999") ==
          "in shape '99999999999999999999', dimension 99999999999999999999 is out of range: give one from 1 to "
          "2147483647");
    CHECK(message("1048576x1048576x2") ==
          "shape 1048576x1048576x2 has more than 1099511627776 nodes: give smaller dimensions");
    std::string many = "1";
    for (int i = 0; i < 40; ++i) many += "x1";
    CHECK_THAT(message(many), Catch::Matchers::Contains("has 41 dimensions: give at most 40"));
}

TEST_CASE("nodes and the smallest face of a shape") {
    CHECK(shape_nodes({}) == 1);
    CHECK(shape_nodes({64, 32, 32}) == 65536);
    CHECK(smallest_face({64, 32, 32}) == 1024);
    CHECK(smallest_face({7}) == 1);
    CHECK(smallest_face({}) == 1);
    CHECK_THROWS_AS(shape_nodes({4, 0}), std::logic_error);
    CHECK_THROWS_AS(shape_nodes({1 << 30, 1 << 30}), std::logic_error);
}

TEST_CASE("the most cubic shape keeps its largest dimension least") {
    CHECK(most_cubic_shape(64, 3) == Shape{4, 4, 4});
    CHECK(most_cubic_shape(128, 3) == Shape{8, 4, 4});
    CHECK(most_cubic_shape(65536, 3) == Shape{64, 32, 32});
    CHECK(most_cubic_shape(72, 3) == Shape{6, 4, 3});
    CHECK(most_cubic_shape(7, 3) == Shape{7, 1, 1});
    CHECK(most_cubic_shape(1, 2) == Shape{1, 1});
    CHECK(most_cubic_shape(2147483647, 2) == Shape{2147483647, 1});
    CHECK(most_cubic_shape(std::int64_t{1} << 31, 5) == Shape{128, 64, 64, 64, 64});
    CHECK(most_cubic_shape(std::int64_t{1} << 40, 40) == Shape(40, 2));
    CHECK(most_cubic_shape((std::int64_t{1} << 20) * 1048573, 20).front() == 1048573);
}

TEST_CASE("the most cubic shape agrees with trying every factorisation") {
    const int nodes = GENERATE(range(1, 200));
    Shape best{nodes, 1, 1};
    for (int a = 1; a <= nodes; ++a) {
        for (int b = 1; b <= a; ++b) {
            if (nodes % (a * b) == 0 && nodes / (a * b) <= b) best = std::min(best, Shape{a, b, nodes / (a * b)});
        }
    }
    CHECK(most_cubic_shape(nodes, 3) == best);
}

TEST_CASE("a most cubic shape of impossible size is an error") {
    CHECK_THROWS_AS(most_cubic_shape(0, 3), InputError);
    CHECK_THROWS_AS(most_cubic_shape(-8, 3), InputError);
    CHECK_THROWS_AS(most_cubic_shape((std::int64_t{1} << 40) + 1, 3), InputError);
    CHECK_THROWS_AS(most_cubic_shape(2147483659, 3), InputError);  // a prime beyond the range of int
    CHECK_THROWS_AS(most_cubic_shape(8, 0), std::logic_error);
}
