#include "calibrate/fit/message_curve.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace narrows;
using Catch::Matchers::WithinRel;

namespace {

std::vector<SizedTime> curve_of(double (*seconds)(double), double noise, std::uint64_t seed = 1) {
    std::vector<SizedTime> points;
    std::mt19937_64 random(seed);
    std::normal_distribution<double> error(0, noise);
    for (double bytes = 8; bytes <= 4 << 20; bytes *= 2) {
        points.push_back({bytes, seconds(bytes) * (1 + error(random)), std::max(noise, 1e-6)});
    }
    return points;
}

double one_line(double bytes) {
    return 1e-6 + bytes * 1e-10;
}
// A protocol that changes at 4 KiB, with a jump, as eager and rendezvous have it.
double two_lines(double bytes) {
    return bytes <= 4096 ? 0.3e-6 + bytes * 3e-10 : 2.5e-6 + bytes * 1e-10;
}

// Beyond what a cache holds a byte takes twelve times as long.
double beyond_cache(double bytes) {
    return 1e-6 + bytes * 1e-11 + std::max(0.0, bytes - 700e3) * 11e-11;
}

}  // namespace

TEST_CASE("message curve: a line comes back, and is one segment") {
    const MessageCurve curve = fit_message_curve(curve_of(one_line, 0));
    REQUIRE(curve.segments.size() == 1);
    CHECK_THAT(curve.segments[0].per_message.value, WithinRel(1e-6, 1e-6));
    CHECK_THAT(curve.segments[0].per_byte.value, WithinRel(1e-10, 1e-6));
    CHECK_THAT(curve.at(1000), WithinRel(one_line(1000), 1e-6));
}

TEST_CASE("message curve: the switch of a protocol is found from the data, through noise") {
    for (const double noise : {0.0, 0.02}) {
        const MessageCurve curve = fit_message_curve(curve_of(two_lines, noise, 7));
        REQUIRE(curve.segments.size() == 2);
        CHECK(curve.segments[0].to == 4096);
        CHECK(curve.segments[1].from == 8192);
        for (const double bytes : {16.0, 3000.0, 6000.0, 1e6}) {
            CHECK_THAT(curve.at(bytes), WithinRel(two_lines(bytes), 0.03 + noise));
            CHECK(curve.low(bytes) <= curve.at(bytes));
            CHECK(curve.high(bytes) >= curve.at(bytes));
        }
    }
}

TEST_CASE(
    "message curve: where bytes beyond a cache take longer a line begins below zero, and is above it in its sizes") {
    std::vector<SizedTime> points;
    const double ratio = GENERATE(1.25, std::sqrt(2.0));
    for (double bytes = 1024; bytes <= 4 << 20; bytes *= ratio) points.push_back({bytes, beyond_cache(bytes), 0.02});
    const MessageCurve curve = fit_message_curve(points);
    REQUIRE(curve.segments.size() >= 2);
    const CurveSegment& last = curve.segments.back();
    CHECK_THAT(last.per_message.value, WithinRel(1e-6 - 700e3 * 11e-11, 0.05));
    CHECK_THAT(last.per_byte.value, WithinRel(12e-11, 0.02));
    CHECK(last.per_message.low < last.per_message.value);
    CHECK(last.per_message.high > last.per_message.value);
    for (double bytes = 1024; bytes <= 4 << 20; bytes *= 1.1) {
        CHECK_THAT(curve.at(bytes), WithinRel(beyond_cache(bytes), 0.1));
        CHECK(curve.low(bytes) > 0);
        if (bytes > 850e3) CHECK(curve.high(bytes) < 2 * curve.low(bytes));
        CHECK(curve.low(bytes) <= curve.at(bytes));
        CHECK(curve.high(bytes) >= curve.at(bytes));
    }
}

TEST_CASE("message curve: between two segments its interval holds what either says") {
    const MessageCurve curve = fit_message_curve(curve_of(two_lines, 0.02, 7));
    REQUIRE(curve.segments.size() == 2);
    CHECK(curve.low(6000) <= 0.3e-6 + 6000 * 3e-10);
    CHECK(curve.high(6000) >= 2.5e-6 + 6000 * 1e-10);
    CHECK(curve.high(4096) < 2.5e-6);
    CHECK(curve.low(8192) > 2.5e-6);
}

TEST_CASE("message curve: noise alone is hardly ever a break") {
    int broken = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        broken += fit_message_curve(curve_of(one_line, 0.05, seed)).segments.size() == 1 ? 0 : 1;
    }
    CHECK(broken <= 4);
}

TEST_CASE("message curve: few points, a falling time and nothing at all") {
    CHECK(fit_message_curve({}).segments.empty());
    const MessageCurve one = fit_message_curve({{8, 2e-6, 0.01}});
    CHECK_THAT(one.at(1e6), WithinRel(2e-6, 1e-9));
    const MessageCurve falling = fit_message_curve({{8, 2e-6, 0.01}, {16, 1.9e-6, 0.01}, {32, 1.5e-6, 0.01}});
    CHECK(falling.segments[0].per_byte.value == 0);
    CHECK(falling.segments[0].per_message.value > 1.5e-6);
}

TEST_CASE("message curve: a size that is not known well neither breaks nor bends it") {
    std::vector<SizedTime> points = curve_of(one_line, 0);
    for (SizedTime& point : points) point.relative_deviation = 0.02;
    points[10].seconds *= 3;
    points[10].relative_deviation = 1;
    const MessageCurve curve = fit_message_curve(points);
    REQUIRE(curve.segments.size() == 1);
    CHECK_THAT(curve.at(4096), WithinRel(one_line(4096), 0.01));
}

TEST_CASE("message curve: as many pieces as there are are found where sizes are close") {
    std::vector<SizedTime> points;
    for (int i = 0; i < 56; ++i) {
        const double bytes = 8 * std::pow(2, i / 3.0);
        points.push_back({bytes, 1e-7 * std::pow(3, i / 8) + bytes * 1e-11, 0.02});
    }
    CHECK(fit_message_curve(points).segments.size() == 7);
}

TEST_CASE("message curve: its intervals hold what sizes scatter that it did not see") {
    constexpr double scatter = 0.05;
    int held = 0;
    int seen = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const MessageCurve curve = fit_message_curve(curve_of(one_line, scatter, seed));
        for (const SizedTime& other : curve_of(one_line, scatter, seed + 1000)) {
            held += curve.low(other.bytes) <= other.seconds && other.seconds <= curve.high(other.bytes) ? 1 : 0;
            ++seen;
        }
    }
    CHECK(held > 0.93 * seen);
}
