#pragma once

#include <cstdint>
#include <vector>

namespace narrows {

/// Numbers at equal differences or at equal ratios.
struct Steps {
    double first = 1;
    double step = 0;        ///< added from one to the next, or multiplied
    bool by_ratio = false;  ///< whether it is multiplied
    std::int64_t count = 1;

    double at(std::int64_t number) const;
};

/// From `first` to `last`, which is one of them where the steps meet it. InputError where they do not lead there.
/// Test: tests/model/explore/test_steps.cpp
Steps steps_by_ratio(double first, double last, double ratio);
Steps steps_by_difference(double first, double last, double difference);

/// So many from `first` to `last`, both of them included, at equal differences. InputError for fewer than 2.
Steps steps_of_count(double first, double last, std::int64_t count);

/// The whole numbers that these are nearest to, each once. InputError where these are more than a million and not
/// whole.
std::vector<Steps> nearest_whole(const Steps& steps);

}  // namespace narrows
