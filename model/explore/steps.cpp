#include "model/explore/steps.hpp"

#include <fmt/format.h>

#include <cmath>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

// Ends that rounding alone keeps from being met are met.
std::int64_t count_of(double steps) {
    constexpr double most = 1e15;
    if (std::isfinite(steps) && steps >= 0 && steps < most) return 1 + static_cast<std::int64_t>(steps + 1e-9);
    throw InputError("the steps never reach the last value: write a range such as 8..64*2");
}

}  // namespace

double Steps::at(std::int64_t number) const {
    const auto steps = static_cast<double>(number);
    return by_ratio ? first * std::pow(step, steps) : first + step * steps;
}

Steps steps_by_ratio(double first, double last, double ratio) {
    if (!(first > 0 && last > 0 && ratio > 0))
        throw InputError("steps by a factor need values above zero: give a difference, such as 0..64+8");
    return {first, ratio, true, count_of(std::log(last / first) / std::log(ratio))};
}

Steps steps_by_difference(double first, double last, double difference) {
    return {first, difference, false, count_of((last - first) / difference)};
}

std::vector<Steps> nearest_whole(const Steps& steps) {
    constexpr std::int64_t most = 1'000'000;
    if (steps.first == std::round(steps.first) && steps.step == std::round(steps.step)) return {steps};
    if (steps.count > most) throw InputError(fmt::format("{} steps to whole numbers are too many", steps.count));
    std::vector<Steps> whole;
    for (std::int64_t i = 0; i < steps.count; ++i) {
        const double nearest = std::round(steps.at(i));
        if (whole.empty() || whole.back().first != nearest) whole.push_back({nearest});
    }
    return whole;
}

Steps steps_of_count(double first, double last, std::int64_t count) {
    if (count < 2)
        throw InputError(fmt::format("{} values do not reach from one end to the other: give 2 or more", count));
    return {first, (last - first) / static_cast<double>(count - 1), false, count};
}

}  // namespace narrows
