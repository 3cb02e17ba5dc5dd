#include <catch2/catch.hpp>
#include <sstream>
#include <type_traits>

#include "model/quantity.hpp"

namespace narrows {

using Catch::WithinRel;

TEST_CASE("dimensions multiply and divide") {
    STATIC_REQUIRE(std::is_same_v<decltype(bytes(1) / seconds(1)), Bandwidth>);
    STATIC_REQUIRE(std::is_same_v<decltype(bytes(1) / Bandwidth(1)), Time>);
    STATIC_REQUIRE(std::is_same_v<decltype(TimePerByte(1) * bytes(1)), Time>);
    STATIC_REQUIRE(std::is_same_v<decltype(1.0 / seconds(1)), Rate>);
    STATIC_REQUIRE(std::is_same_v<decltype(Rate(1) * seconds(1)), double>);
    STATIC_REQUIRE(std::is_same_v<decltype(seconds(1) / seconds(1)), double>);
}

TEST_CASE("quantities of different dimensions do not mix") {
    STATIC_REQUIRE_FALSE(std::is_convertible_v<double, Time>);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<Time, double>);
    STATIC_REQUIRE_FALSE(std::is_assignable_v<Time&, Data>);
}

TEST_CASE("arithmetic is that of SI values") {
    CHECK(seconds(2) + seconds(0.5) == seconds(2.5));
    CHECK(seconds(2) - seconds(0.5) == seconds(1.5));
    CHECK(bytes(64) * 2 == bytes(128));
    CHECK(2 * bytes(64) == bytes(128));
    CHECK(bytes(64) / 4 == bytes(16));
    CHECK(bytes(64) / bytes(16) == 4.0);
    CHECK_THAT((bytes(78) / Bandwidth(0.175e9)).si(), WithinRel(445.714e-9, 1e-6));
    Time time = seconds(1);
    time += seconds(2);
    time -= seconds(1);
    time *= 3;
    CHECK(time == seconds(6));
}

TEST_CASE("quantities are ordered") {
    CHECK(seconds(1) < seconds(2));
    CHECK(bytes(2) >= bytes(2));
    CHECK(Time() == seconds(0));
}

TEST_CASE("a quantity prints its SI value and its dimension") {
    std::ostringstream out;
    out << Bandwidth(5);
    CHECK(out.str() == "5 s^-1 B^1");
}

}  // namespace narrows
