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

TEST_CASE("sizes between: a curve is judged by those that are kept from it alone") {
    MessageCurve curve;  // 1 us and 1 ns a byte, give or take a tenth
    curve.segments = {{8, 1024, {1e-6, 0.9e-6, 1.1e-6}, {1e-9, 0.9e-9, 1.1e-9}}};
    SizesBetween between;
    between.judging = {16, 64, 256};
    std::vector<MessagePoint> points(4);
    const double shares[] = {1.05, 2.0, 0.98, 1.25};
    const std::size_t sizes[] = {16, 32, 64, 256};
    for (std::size_t i = 0; i < 4; ++i) {
        points[i].bytes = sizes[i];
        points[i].seconds.value = shares[i] * curve.at(static_cast<double>(sizes[i]));
    }
    const FitJudgement judged = judgement_of(curve, points, between);
    CHECK(judged.sizes == 3);
    CHECK(judged.median_error == Approx(1 - 1 / 1.05));
    CHECK(judged.worst_error == Approx(1 - 1 / 1.25));
    CHECK(judged.coverage == Approx(2.0 / 3));
    CHECK(judgement_of(curve, points, {}).sizes == 0);
}

}  // namespace
}  // namespace narrows
