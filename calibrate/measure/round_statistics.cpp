#include "calibrate/measure/round_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "calibrate/measure/order_statistics.hpp"

namespace narrows {
namespace {

constexpr std::size_t least_samples = 4;

double middle_of(const std::vector<double>& values) {
    return median_estimate(values).value;
}

double sign_of(double value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

// Of the signs of neighbours, together with what removing the median has taken from it.
double sign_correlation(const std::vector<double>& samples) {
    const double median = middle_of(samples);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
        sum += sign_of(samples[i] - median) * sign_of(samples[i + 1] - median);
    }
    return sum / static_cast<double>(samples.size() - 1) + 1 / static_cast<double>(samples.size());
}

double drift_of(const std::vector<double>& samples) {
    std::vector<double> slopes;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        for (std::size_t j = i + 1; j < samples.size(); ++j) {
            slopes.push_back((samples[j] - samples[i]) / static_cast<double>(j - i));
        }
    }
    const double median = middle_of(samples);
    return median > 0 ? middle_of(slopes) * static_cast<double>(samples.size() - 1) / median : 0;
}

}  // namespace

double RoundStatistics::widening() const {
    return 1 / std::sqrt(effective_share);
}

RoundStatistics round_statistics(const std::vector<std::vector<double>>& series) {
    std::vector<double> drifts;
    double correlation = 0;
    for (const std::vector<double>& samples : series) {
        if (samples.size() < least_samples) continue;
        correlation += sign_correlation(samples);
        drifts.push_back(drift_of(samples));
    }
    RoundStatistics found;
    if (drifts.empty()) return found;
    constexpr double most = 0.99;
    const double mean = std::clamp(correlation / static_cast<double>(drifts.size()), -1.0, 1.0);
    found.autocorrelation = std::min(most, std::sin(std::numbers::pi / 2 * mean));
    const double positive = std::max(0.0, found.autocorrelation);
    found.effective_share = (1 - positive) / (1 + positive);
    found.drift = middle_of(drifts);
    return found;
}

}  // namespace narrows
