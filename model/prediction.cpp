#include "model/prediction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace narrows {
namespace {

Time total(std::span<const Term> terms) {
    Time sum;
    for (const Term& term : terms) sum += term.time;
    return sum;
}

Rate least_limit(std::span<const Bound> bounds) {
    if (bounds.empty()) throw std::logic_error("a prediction without a bound");
    Rate least = bounds.front().limit;
    for (const Bound& bound : bounds) least = std::min(least, bound.limit);
    return least;
}

Prediction at_rate(Rate rate, std::vector<Term> terms, double workers, std::vector<Bound> bounds) {
    Prediction prediction;
    prediction.rate = rate;
    std::erase_if(terms, [](const Term& term) { return term.time == Time(); });
    const Time wait = workers / rate - total(terms);
    if (wait > total(terms) * 1e-12) terms.push_back({"wait", wait});
    prediction.bottleneck = name_of(tightest(bounds).resource);
    prediction.bounds = std::move(bounds);
    prediction.terms = std::move(terms);
    prediction.workers = workers;
    return prediction;
}

}  // namespace

std::string_view name_of(Resource resource) {
    static constexpr auto names =
        std::to_array<std::string_view>({"processor", "memory", "host interface", "network interface", "gateway",
                                         "flight", "router", "network", "injection", "uplinks", "link"});
    static_assert(names.size() == static_cast<std::size_t>(Resource::link) + 1);
    return names.at(static_cast<std::size_t>(resource));
}

const Bound& tightest(std::span<const Bound> bounds) {
    const Rate least = least_limit(bounds);
    constexpr double rounding = 1e-9;  // of bounds that are equal by different formulas
    return *std::ranges::find_if(bounds, [&](const Bound& bound) { return bound.limit <= least * (1 + rounding); });
}

Prediction corrected(Prediction prediction, MeasuredBeside beside) {
    prediction.rate = prediction.rate / beside.factor;
    for (Bound& bound : prediction.bounds) bound.limit = bound.limit / beside.factor;
    for (Term& term : prediction.terms) term.time = term.time * beside.factor;
    prediction.beside = std::move(beside);
    return prediction;
}

Prediction overlapped(std::vector<Term> terms, double workers, std::vector<Bound> bounds) {
    const Rate rate = least_limit(bounds);
    Prediction prediction = at_rate(rate, std::move(terms), workers, std::move(bounds));
    prediction.estimate = "the tightest bound: all resources work at the same time";
    return prediction;
}

Rate queued_rate(Rate processor, Rate link, int places) {
    if (places < 1) throw std::logic_error("work is exchanged through at least one place");
    const double ratio = processor / link;
    if (std::abs(ratio - 1) < 1e-6) return processor * (static_cast<double>(places) / (places + 1));
    if (ratio > 1) return queued_rate(link, processor, places);  // symmetric; keeps the powers small
    const double power = std::pow(ratio, places);
    return processor * ((1 - power) / (1 - power * ratio));
}

Prediction queued(std::vector<Term> terms, double workers, std::vector<Bound> bounds, int places) {
    Rate processor(std::numeric_limits<double>::infinity());
    Rate passed = processor, memory = processor;
    for (const Bound& bound : bounds) {
        Rate& side = bound.resource == Resource::processor ? processor
                     : bound.resource == Resource::memory  ? memory
                                                           : passed;
        side = std::min(side, bound.limit);
    }
    const bool coupled = std::isfinite(processor.si()) && std::isfinite(passed.si());
    const Rate rate = coupled ? queued_rate(processor, passed, places) : std::min(processor, passed);
    const bool by_memory = memory < rate;
    Prediction prediction = at_rate(std::min(rate, memory), std::move(terms), workers, std::move(bounds));
    prediction.estimate =
        by_memory                ? "the memory's bandwidth: below what all other servers allow"
        : coupled && places == 3 ? "processor and network as a closed queue with three places for a packet"
        : coupled ? "processor and network as a closed queue with two places and those of packets under way"
                  : "the tightest bound: nothing to queue for";
    return prediction;
}

}  // namespace narrows
