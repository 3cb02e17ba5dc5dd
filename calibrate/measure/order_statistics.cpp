#include "calibrate/measure/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace narrows {
namespace {

// The largest k with P(Binomial(n, 1/2) < k) <= 2.5 %; 0 when there is none.
int order_of_interval(int n) {
    constexpr double tail = 0.025;
    // By logarithms: 2^-n is no double any more for a thousand samples.
    const auto probability = [n](int k) {
        return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2));
    };
    double below = 0;
    int k = 0;
    while (below + probability(k) <= tail) below += probability(k++);
    return k;
}

}  // namespace

MedianEstimate median_estimate(std::vector<double> samples) {
    if (samples.empty()) throw std::logic_error("a median needs a sample");
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    MedianEstimate estimate;
    estimate.samples = static_cast<int>(n);
    estimate.median = n % 2 == 1 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
    const auto k = static_cast<std::size_t>(std::max(1, order_of_interval(static_cast<int>(n))));
    estimate.low = samples[k - 1];
    estimate.high = samples[n - k];
    return estimate;
}

}  // namespace narrows
