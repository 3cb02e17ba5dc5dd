#include "model/time_prediction.hpp"

#include <algorithm>
#include <utility>

namespace narrows {

TimePrediction corrected(TimePrediction prediction, MeasuredBeside beside) {
    prediction.time = prediction.time * beside.factor;
    for (NamedTime& term : prediction.terms) term.time = term.time * beside.factor;
    if (prediction.throughput) prediction.throughput = *prediction.throughput / beside.factor;
    prediction.beside = std::move(beside);
    return prediction;
}

TimePrediction critical_path(const Breakdown& path) {
    TimePrediction prediction;
    prediction.time = path.total;
    for (const NamedTime& term : path.terms) {
        if (term.time == Time()) continue;
        const auto same = std::find_if(prediction.terms.begin(), prediction.terms.end(),
                                       [&term](const NamedTime& known) { return known.name == term.name; });
        if (same == prediction.terms.end()) {
            prediction.terms.push_back(term);
        } else {
            same->time += term.time;
        }
    }
    const auto largest = std::max_element(prediction.terms.begin(), prediction.terms.end(),
                                          [](const NamedTime& a, const NamedTime& b) { return a.time < b.time; });
    prediction.bottleneck = largest == prediction.terms.end() ? "nothing" : largest->name;
    return prediction;
}

}  // namespace narrows
