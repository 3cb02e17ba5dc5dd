#include "model/explore/steps.hpp"

#include <catch2/catch.hpp>

#include "topologies/input_error.hpp"

namespace narrows {

TEST_CASE("steps have both ends where they meet them") {
    const Steps doubled = steps_by_ratio(8, 64, 2);
    CHECK(doubled.count == 4);
    CHECK(doubled.at(0) == 8);
    CHECK(doubled.at(3) == 64);
    CHECK(steps_by_ratio(1, 1000, 10).count == 4);
    CHECK(steps_by_ratio(64, 8, 0.5).at(3) == 8);
    CHECK(steps_by_ratio(3, 3, 2).count == 1);
    CHECK(steps_by_difference(1, 10, 4).count == 3);  // 1, 5, 9
    CHECK(steps_by_difference(0.1, 0.5, 0.1).count == 5);
    CHECK(steps_by_difference(10, 1, -3).at(3) == 1);
    const Steps counted = steps_of_count(1, 2, 5);
    CHECK(counted.at(1) == 1.25);
    CHECK(counted.at(4) == 2);
}

TEST_CASE("steps of what comes in whole numbers are to the nearest of those, each once") {
    const auto numbers = [](const Steps& steps) {
        std::vector<double> all;
        for (const Steps& run : nearest_whole(steps)) {
            for (std::int64_t i = 0; i < run.count; ++i) all.push_back(run.at(i));
        }
        return all;
    };
    CHECK(numbers(steps_by_ratio(1, 10, 1.5)) == std::vector<double>{1, 2, 3, 5, 8});  // 1, 1.5, 2.25, 3.375, ...
    CHECK(numbers(steps_of_count(1, 100, 5)) == std::vector<double>{1, 26, 51, 75, 100});
    CHECK(numbers(steps_by_ratio(8, 64, 2)) == std::vector<double>{8, 16, 32, 64});
    CHECK(numbers(steps_by_ratio(64, 8, 0.5)) == std::vector<double>{64, 32, 16, 8});
    CHECK(nearest_whole(steps_by_difference(1, 1e9, 1)).size() == 1);  // as they are
    CHECK_THROWS_AS(nearest_whole(steps_by_difference(1, 1e9, 0.5)), InputError);
}

TEST_CASE("steps that lead nowhere are refused") {
    CHECK_THROWS_AS(steps_by_ratio(8, 64, 1), InputError);
    CHECK_THROWS_AS(steps_by_ratio(8, 64, 0.5), InputError);
    CHECK_THROWS_AS(steps_by_ratio(0, 64, 2), InputError);
    CHECK_THROWS_AS(steps_by_difference(1, 10, -1), InputError);
    CHECK_THROWS_AS(steps_by_difference(1, 10, 0), InputError);
    CHECK_THROWS_AS(steps_of_count(1, 2, 1), InputError);
}

}  // namespace narrows
