#include "model/time_prediction.hpp"

#include <algorithm>
#include <utility>

namespace narrows {

TimePrediction corrected(TimePrediction prediction, MeasuredBeside beside) {
    prediction.time = prediction.time * beside.factor;
    for (NamedTime& term : prediction.terms) {
        term.time = term.time * beside.factor;
        term.of_processor = term.of_processor * beside.factor;
    }
    if (prediction.throughput) prediction.throughput = *prediction.throughput / beside.factor;
    prediction.beside = std::move(beside);
    return prediction;
}

void SumOfTimes::add(const TimePrediction& part, double times) {
    const Time whole = part.time * times;
    whole_.total += whole;
    for (const NamedTime& term : part.terms)
        whole_.terms.push_back({term.name, term.time * times, term.of_processor * times});
    const MeasuredBeside& beside = part.beside;
    for (const std::string& beyond : beside.beyond) {
        if (std::ranges::find(beside_.beyond, beyond) == beside_.beyond.end()) beside_.beyond.push_back(beyond);
    }
    if (beside.sessions == 0) return;
    beside_.below += beside.below * whole.si();
    beside_.above += beside.above * whole.si();
    beside_.sessions = beside_.sessions == 0 ? beside.sessions : std::min(beside_.sessions, beside.sessions);
    measured_ += whole * beside.share;
}

TimePrediction SumOfTimes::take() const {
    TimePrediction sum = critical_path(whole_);
    sum.beside = beside_;
    if (whole_.total == Time()) return sum;
    sum.beside.below /= whole_.total.si();
    sum.beside.above /= whole_.total.si();
    sum.beside.share = measured_ / whole_.total;
    return sum;
}

TimePrediction critical_path(const Breakdown& path) {
    TimePrediction prediction;
    prediction.time = path.total;
    for (const NamedTime& term : path.terms) {
        if (term.time == Time()) continue;
        const auto same = std::ranges::find(prediction.terms, term.name, &NamedTime::name);
        if (same == prediction.terms.end()) {
            prediction.terms.push_back(term);
        } else {
            same->time += term.time;
            same->of_processor += term.of_processor;
        }
    }
    const auto largest = std::ranges::max_element(prediction.terms, {}, &NamedTime::time);
    prediction.bottleneck = largest == prediction.terms.end() ? "nothing" : largest->name;
    return prediction;
}

}  // namespace narrows
