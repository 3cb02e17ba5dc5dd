#include "calibrate/fit/judgement.hpp"

#include <algorithm>

#include "calibrate/measure/order_statistics.hpp"

namespace narrows {

FitJudgement judgement_of(const std::vector<double>& errors, std::size_t held) {
    if (errors.empty()) return {};
    return {errors.size(), median_estimate(errors).value, *std::ranges::max_element(errors),
            static_cast<double>(held) / static_cast<double>(errors.size())};
}

}  // namespace narrows
