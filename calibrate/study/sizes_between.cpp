#include "calibrate/study/sizes_between.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace narrows {

bool SizesBetween::judges(std::size_t bytes) const {
    return std::ranges::binary_search(judging, bytes);
}

SizesBetween sizes_between(const std::vector<std::size_t>& asked) {
    constexpr std::size_t enough = 8;
    constexpr std::size_t step = 8;
    SizesBetween between;
    if (asked.size() < enough) return between;
    for (std::size_t i = 0; i + 1 < asked.size(); ++i) {
        const auto [low, high] = std::pair(asked[i], asked[i + 1]);
        std::size_t last = low;
        for (const std::size_t quarters : {1, 2, 3}) {
            const std::size_t size = (low + (high - low) * quarters / 4) / step * step;
            if (size <= last || size >= high) continue;
            (quarters == 2 ? between.judging : between.fitted).push_back(size);
            last = size;
        }
    }
    return between;
}

FitJudgement judgement_of(const MessageCurve& curve, const std::vector<MessagePoint>& points,
                          const SizesBetween& between) {
    std::vector<double> errors;
    std::size_t held = 0;
    for (const MessagePoint& point : points) {
        if (!between.judges(point.bytes)) continue;
        const auto bytes = static_cast<double>(point.bytes);
        const double measured = point.seconds.value;
        errors.push_back(std::abs(curve.at(bytes) / measured - 1));
        held += measured >= curve.low(bytes) && measured <= curve.high(bytes) ? 1 : 0;
    }
    return judgement_of(errors, held);
}

}  // namespace narrows
