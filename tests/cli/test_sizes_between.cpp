#include "calibrate/study/sizes_between.hpp"

#include <catch2/catch.hpp>

namespace narrows {
namespace {

using Sizes = std::vector<std::size_t>;

TEST_CASE("sizes between: quarters for the fit, halves to judge it, in multiples of 8") {
    const SizesBetween between = sizes_between({8, 16, 32, 64, 128, 256, 512, 1024});
    CHECK(between.fitted == Sizes{40, 56, 80, 112, 160, 224, 320, 448, 640, 896});
    CHECK(between.judging == Sizes{24, 48, 96, 192, 384, 768});
    CHECK(between.judges(96));
    CHECK_FALSE(between.judges(64));
    CHECK_FALSE(between.judges(80));
}

TEST_CASE("sizes between: none where few are asked for or nothing lies between") {
    CHECK(sizes_between({8, 16, 32, 64, 128, 256, 512}).fitted.empty());
    const SizesBetween close = sizes_between({8, 9, 10, 11, 12, 13, 14, 15});
    CHECK(close.fitted.empty());
    CHECK(close.judging.empty());
}

}  // namespace
}  // namespace narrows
