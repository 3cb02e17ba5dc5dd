#include "calibrate/measure/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace narrows {
namespace {

// The largest k with P(Binomial(n, share) < k) <= 2.5 %; 0 when there is none.
int order_of_interval(int n, double share) {
    constexpr double tail = 0.025;
    // By logarithms: 2^-n is no double any more for a thousand samples.
    const auto probability = [n, share](int k) {
        return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(share) +
                        (n - k) * std::log1p(-share));
    };
    double below = 0;
    int k = 0;
    while (below + probability(k) <= tail) below += probability(k++);
    return k;
}

}  // namespace

OrderEstimate quantile_estimate(std::vector<double> samples, double share) {
    if (samples.empty()) throw std::logic_error("a quantile needs a sample");
    std::ranges::sort(samples);
    const int n = static_cast<int>(samples.size());
    const auto at = [&samples](int order) { return samples[static_cast<std::size_t>(order)]; };
    const double place = share * (n - 1);
    const int before = static_cast<int>(place);
    OrderEstimate estimate;
    estimate.samples = n;
    estimate.value = at(before) + (at(std::min(before + 1, n - 1)) - at(before)) * (place - before);
    const int low = std::max(1, order_of_interval(n, share));
    const int high = std::max(1, order_of_interval(n, 1 - share));  // counted from the largest
    estimate.low = at(low - 1);
    estimate.high = at(n - high);
    return estimate;
}

OrderEstimate median_estimate(std::vector<double> samples) {
    return quantile_estimate(std::move(samples), 0.5);
}

double lower_median(std::vector<double> samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>((samples.size() - 1) / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
}

OrderEstimate quartile_estimate(std::vector<double> samples) {
    return quantile_estimate(std::move(samples), 0.25);
}

}  // namespace narrows
