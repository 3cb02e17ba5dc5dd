#include "model/uncertainty.hpp"

#include <algorithm>
#include <cmath>

#include "model/schema.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

double rate_with(Machine& machine, std::size_t parameter, double value, const PredictionOf& predict) {
    double& place = machine.parameters[parameter].measure.value;
    const double kept = place;
    place = value;
    const double rate = predict(machine).rate.si();
    place = kept;
    return rate;
}

// How far the rate moves when a parameter goes to either end of its interval.
struct Swing {
    double at_low = 0;
    double at_high = 0;
};

std::size_t index_of(const Machine& machine, const std::string& path) {
    std::size_t index = 0;
    while (index < machine.parameters.size() && machine.parameters[index].path != path) ++index;
    return index;
}

}  // namespace

Prediction with_interval(const Machine& machine, const PredictionOf& predict) {
    Prediction prediction = predict(machine);
    const double rate = prediction.rate.si();
    double below = 0;
    double above = 0;
    Machine changed = machine;
    std::vector<Swing> swings(machine.parameters.size());
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        const auto& interval = machine.parameters[i].interval;
        if (!interval) continue;
        swings[i].at_low = rate_with(changed, i, interval->low, predict) - rate;
        swings[i].at_high = rate_with(changed, i, interval->high, predict) - rate;
        below += std::pow(std::min({0.0, swings[i].at_low, swings[i].at_high}), 2);
        above += std::pow(std::max({0.0, swings[i].at_low, swings[i].at_high}), 2);
    }
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        const Parameter& parameter = machine.parameters[i];
        const std::size_t other = index_of(machine, parameter.correlated_with);
        if (parameter.correlated_with.empty() || other == machine.parameters.size()) continue;
        // More of a cost is less of the rate: the high ends give the swing below, the low ends the one above.
        below += 2 * parameter.correlation * swings[i].at_high * swings[other].at_high;
        above += 2 * parameter.correlation * swings[i].at_low * swings[other].at_low;
    }
    below = std::max(0.0, below);
    above = std::max(0.0, above);
    if (below > 0 || above > 0) {
        prediction.low = Rate(std::max(0.0, rate - std::sqrt(below)));
        prediction.high = Rate(rate + std::sqrt(above));
    }
    return prediction;
}

std::vector<Sensitivity> sensitivities(const Machine& machine, const PredictionOf& predict) {
    constexpr double step = 0.01;
    std::vector<Sensitivity> found;
    Machine changed = machine;
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        const Parameter& parameter = machine.parameters[i];
        const SchemaRow* row = schema_row(parameter.path);
        // Counts and granules have no small changes: packing jumps from one to the next.
        const bool whole = row != nullptr && (row->kind == Kind::count || row->path.ends_with("granule"));
        if (!parameter.text.empty() || whole || parameter.measure.value == 0) continue;
        const double value = parameter.measure.value;
        const double up = rate_with(changed, i, value * std::exp(step), predict);
        const double down = rate_with(changed, i, value * std::exp(-step), predict);
        const double elasticity = (std::log(up) - std::log(down)) / (2 * step);
        if (std::abs(elasticity) > 1e-9) found.push_back({parameter.path, elasticity});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.elasticity) > std::abs(b.elasticity); });
    return found;
}

}  // namespace narrows
