#include "model/explore/changes.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace narrows {
namespace {

// The label of the first place above the value.
LabelAt parted_at(const std::vector<double>& places) {
    return [places](double value) -> std::optional<std::string> {
        return std::to_string(std::ranges::count_if(places, [&](double place) { return value >= place; }));
    };
}

}  // namespace

TEST_CASE("changes: planted places are found, all of them") {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> logarithm(std::log(2e-3), std::log(1e6));
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<double> places(3);
        for (double& place : places) place = std::exp(logarithm(random));
        std::ranges::sort(places);
        CAPTURE(places);
        const auto found = changes_along({1e-3, 2e6}, parted_at(places));
        REQUIRE(found.size() == places.size());
        for (std::size_t i = 0; i < places.size(); ++i) CHECK(found[i].next == Approx(places[i]).epsilon(1e-9));
        const auto back = changes_along({2e6, 1e-3}, parted_at(places), 1);
        REQUIRE(back.size() == 1);
        CHECK(back[0].last == Approx(places[2]).epsilon(1e-9));
        CHECK(back[0].before == "3");
    }
}

TEST_CASE("changes of whole numbers: the very number, among those that have an answer") {
    const auto exact = changes_along({1, 1 << 26, true}, parted_at({12345, 12347}));
    REQUIRE(exact.size() == 2);
    CHECK(exact[0].last == 12344);
    CHECK(exact[0].next == 12345);
    CHECK(exact[1].next == 12347);
    const LabelAt powers = [](double value) -> std::optional<std::string> {
        if (std::exp2(std::floor(std::log2(value))) != value) return std::nullopt;
        return value >= 500 ? "large" : "small";
    };
    const auto found = changes_along({1, 4096, true}, powers);
    REQUIRE(found.size() == 1);
    CHECK(found[0].last == 256);
    CHECK(found[0].next == 512);
}

TEST_CASE("changes among up to 1024 whole numbers: also what comes and goes") {
    const LabelAt spike = [](double value) -> std::optional<std::string> { return value == 777 ? "yes" : "no"; };
    CHECK(changes_along({1, 1000, true}, spike).size() == 2);
    CHECK(changes_along({1, 776, true}, spike).empty());
    CHECK(changes_along({1, 1e5, true, 2e5}, spike).size() == 2);
    CHECK_FALSE(is_looked_at_one_by_one({1, 2000, true}));
    CHECK(is_looked_at_one_by_one({2000, 1, true, 2000}));
    CHECK_FALSE(is_looked_at_one_by_one({1, 10, false}));
}

TEST_CASE("just_holding: the nearest value at which it holds, upwards first") {
    const auto at_least = [](double least) { return [least](double value) { return std::optional(value >= least); }; };
    CHECK(*just_holding({10, 1, 1000}, at_least(20)) == Approx(20).epsilon(1e-9));
    CHECK(*just_holding({10, 1, 1000}, at_least(4)) == Approx(4).epsilon(1e-9));  // it holds now: how far down
    CHECK(*just_holding({10, 1, 1000, true}, at_least(19.5)) == 20);
    CHECK_FALSE(just_holding({10, 1, 1000}, at_least(2000)));
    CHECK_FALSE(just_holding({10, 1, 1000}, at_least(0)));
    CHECK(*just_holding({0, -1, 1}, at_least(0.25)) == Approx(0.25).epsilon(1e-9));
    // Whole numbers that hold here and there, such as nodes that form a torus: the first of them.
    std::mt19937 random(3);
    std::uniform_int_distribution<int> spread(0, 4999);
    for (int trial = 0; trial < 20; ++trial) {
        const std::vector<double> good = {1000.0 + spread(random), 7000.0 + spread(random), 50000};
        const auto holds = [&good](double value) {
            return std::optional(value >= 50000 || std::ranges::count(good, value) > 0);
        };
        CAPTURE(good);
        CHECK(*just_holding({10, 1, 1e9, true, 1e5}, holds) == good.front());
        const double sampled = *just_holding({10, 1, 1e9, true, 100}, holds);
        CHECK(*holds(sampled));
        CHECK_FALSE(*holds(sampled - 1));
    }
}

}  // namespace narrows
