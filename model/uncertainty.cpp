#include "model/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

double number_with(Machine& machine, std::size_t parameter, double value, const NumberOf& predicted) {
    double& place = machine.parameters[parameter].measure.value;
    const double kept = place;
    place = value;
    const double number = predicted(machine);
    place = kept;
    return number;
}

// How far the prediction moves when a parameter goes to either end of its interval.
struct Swing {
    double at_low = 0;
    double at_high = 0;

    // At the end where it moves down, or up. More of a cost is less of a rate and more of a time.
    double down() const { return at_high < at_low ? at_high : at_low; }
    double up() const { return at_high < at_low ? at_low : at_high; }
};

std::size_t index_of(const Machine& machine, const std::string& path) {
    std::size_t index = 0;
    while (index < machine.parameters.size() && machine.parameters[index].path != path) ++index;
    return index;
}

// The machine, which notes from now on what is looked at, for whoever watches it already too.
Machine watched(Machine machine) {
    if (!machine.seen) machine.seen = std::make_shared<std::vector<char>>(machine.parameters.size());
    return machine;
}

// Parameters that the prediction has not looked at cost no evaluation.
std::vector<Swing> swings_of(Machine& machine, const std::vector<char>& seen, const NumberOf& predicted,
                             double number) {
    std::vector<Swing> swings(machine.parameters.size());
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        if (seen[i] == 0) continue;
        const auto& interval = machine.parameters[i].interval;
        if (!interval) continue;
        swings[i].at_low = number_with(machine, i, interval->low, predicted) - number;
        swings[i].at_high = number_with(machine, i, interval->high, predicted) - number;
    }
    return swings;
}

// What an uncertain parameter adds to the squares of an interval's two sides.
struct Squares {
    double below = 0;
    double above = 0;
};

// By parameter; what two that are correlated add together, each adds half of.
std::vector<Squares> squares_of(Machine& machine, const std::vector<char>& seen, const NumberOf& predicted,
                                double number) {
    const std::vector<Swing> swings = swings_of(machine, seen, predicted, number);
    std::vector<Squares> squares(swings.size());
    for (std::size_t i = 0; i < swings.size(); ++i) {
        if (swings[i].at_low == 0 && swings[i].at_high == 0) continue;
        squares[i].below += std::pow(std::min({0.0, swings[i].at_low, swings[i].at_high}), 2);
        squares[i].above += std::pow(std::max({0.0, swings[i].at_low, swings[i].at_high}), 2);
        const Parameter& parameter = machine.parameters[i];
        if (parameter.correlated_with.empty()) continue;
        const std::size_t other = index_of(machine, parameter.correlated_with);
        if (other == machine.parameters.size()) continue;
        for (const std::size_t one : {i, other}) {
            squares[one].below += parameter.correlation * swings[i].down() * swings[other].down();
            squares[one].above += parameter.correlation * swings[i].up() * swings[other].up();
        }
    }
    return squares;
}

Squares sum_of(const std::vector<Squares>& squares) {
    Squares sum;
    for (const Squares& one : squares) sum = {sum.below + one.below, sum.above + one.above};
    return {std::max(0.0, sum.below), std::max(0.0, sum.above)};
}

// Ends of the interval of a prediction of `number`, if it has one.
std::optional<Interval> interval_of(Machine& machine, const std::vector<char>& seen, const NumberOf& predicted,
                                    double number) {
    const auto [below, above] = sum_of(squares_of(machine, seen, predicted, number));
    if (below <= 0 && above <= 0) return std::nullopt;
    return Interval{std::max(0.0, number - std::sqrt(below)), number + std::sqrt(above)};
}

// Counts and granules have no small changes: packing jumps from one to the next.
bool has_small_changes(const Parameter& parameter) {
    return is_cost(parameter) && !parameter.path.ends_with("granule") && parameter.measure.value != 0;
}

// The relative change of `number` for that of a parameter, and where it is not the same to both sides. Messages go in
// whole pieces and packets, of whose sizes that is the mean over a change that makes a number of them more or fewer.
Sensitivity elasticity_of(Machine& machine, std::size_t parameter, const NumberOf& predicted, double number) {
    constexpr double small_step = 0.000625, step_of_pieces = 0.2;
    constexpr double alike = 0.01, steep = 2;
    Sensitivity found{machine.parameters[parameter].path, 0};
    if (!has_small_changes(machine.parameters[parameter])) return found;
    const bool is_of_pieces = found.path.ends_with(".piece") || found.path.ends_with(".packet");
    const double step = is_of_pieces ? step_of_pieces : small_step;
    const double value = machine.parameters[parameter].measure.value;
    const auto slope = [&](double change) {
        return std::log(number_with(machine, parameter, value * std::exp(change), predicted) / number) / change;
    };
    const double up = slope(step), down = slope(-step);
    found.elasticity = (up + down) / 2;
    if (is_of_pieces || (std::abs(up - down) <= alike && std::abs(up) <= steep)) return found;
    std::vector<double> smooth;
    for (const double side : {step, -step}) {
        const double far = side > 0 ? up : down, near = slope(side / 4), nearest = slope(side / 16);
        // The slope to behind a jump at the value grows fourfold each time; that to behind one beside it does not.
        if (std::abs(nearest - near) > std::max(alike, 2 * std::abs(near - far))) continue;
        // Among many jumps there is no slope.
        if (std::abs(nearest) > steep && std::abs(nearest - near) > alike * std::abs(nearest)) continue;
        smooth.push_back(nearest);
    }
    const auto count = static_cast<double>(smooth.size());
    found.elasticity = smooth.empty() ? 0 : std::accumulate(smooth.begin(), smooth.end(), 0.0) / count;
    found.at_step = smooth.size() < 2;
    if (!found.at_step && std::abs(smooth[0] - smooth[1]) > alike) found.kink = std::pair(smooth[0], smooth[1]);
    return found;
}

// Of the parameters that were seen.
double ends_of_intervals(const Machine& machine, const std::vector<char>& seen) {
    double sum = 0;
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        if (seen[i] != 0 && machine.parameters[i].interval) sum += 2;
    }
    return sum;
}

// Predictions that `sensitivities` makes of what was seen, about: both ends of each interval and of each small change.
double evaluations(const Machine& machine, const std::vector<char>& seen) {
    double sum = ends_of_intervals(machine, seen);
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        if (seen[i] != 0 && has_small_changes(machine.parameters[i])) sum += 2;
    }
    return sum;
}

// The value with the interval of the runs beside it, where there are any, on the scale of logarithms.
Outcome outcome_of(double value, std::string_view bottleneck, const MeasuredBeside& runs, double below, double above) {
    Outcome found{value, {}, std::string(bottleneck)};
    if (runs.sessions == 0) return found;
    found.interval = {value / std::exp(below), value * std::exp(above)};
    found.measured = runs.share;
    return found;
}

// The interval of what runs were measured beside, with that of the parameters for the rest.
Interval both_of(const Outcome& outcome, const Interval& of_parameters) {
    const double rest = 1 - outcome.measured;
    const auto far = [rest](double measured, double by_parameters) {
        return std::hypot(measured, rest * by_parameters);
    };
    const double below = far(outcome.value - outcome.interval->low, outcome.value - of_parameters.low);
    const double above = far(outcome.interval->high - outcome.value, of_parameters.high - outcome.value);
    return {std::max(0.0, outcome.value - below), outcome.value + above};
}

template <class Value, class Predict>
auto with_ends(const Machine& machine, const Predict& predict, const ReportProgress& progress = {}) {
    std::optional<typename Predict::result_type> prediction;  // of the machine itself, which is the first one
    const OutcomeOf outcome = [&](const Machine& changed) {
        auto found = predict(changed);
        Outcome comes_to = outcome_of(found);
        if (!prediction) prediction = std::move(found);
        return comes_to;
    };
    Machine copy = machine;
    if (const auto interval = with_interval(copy, outcome, progress).interval) {
        prediction->low = Value(interval->low);
        prediction->high = Value(interval->high);
    }
    return *prediction;
}

}  // namespace

// What takes longer than predicted has a lower rate.
Outcome outcome_of(const Prediction& prediction) {
    const MeasuredBeside& beside = prediction.beside;
    return outcome_of(prediction.rate.si(), prediction.bottleneck, beside, beside.above, beside.below);
}

Outcome outcome_of(const TimePrediction& prediction) {
    const MeasuredBeside& beside = prediction.beside;
    return outcome_of(prediction.time.si(), prediction.bottleneck, beside, beside.below, beside.above);
}

Prediction with_interval(const Machine& machine, const PredictionOf& predict) {
    return with_ends<Rate>(machine, predict);
}

TimePrediction with_interval(const Machine& machine, const TimePredictionOf& predict, const ReportProgress& progress) {
    return with_ends<Time>(machine, predict, progress);
}

Outcome with_interval(const Machine& machine, const OutcomeOf& predict) {
    Machine copy = machine;
    return with_interval(copy, predict);
}

Outcome with_interval(Machine& machine, const OutcomeOf& predict, const ReportProgress& progress) {
    const auto is_uncertain = [](const Parameter& parameter) { return parameter.interval.has_value(); };
    if (std::ranges::none_of(machine.parameters, is_uncertain)) return predict(machine);
    const bool is_watched = machine.seen != nullptr;
    if (!is_watched) machine.seen = std::make_shared<std::vector<char>>(machine.parameters.size());
    Outcome outcome = predict(machine);
    const auto seen = std::exchange(machine.seen, nullptr);
    if (outcome.measured < 1) {
        const double all = ends_of_intervals(machine, *seen);
        double done = 0;
        const auto value = [&](const Machine& changed) {
            const double found = predict(changed).value;
            if (progress) progress(++done / all);
            return found;
        };
        const auto of_parameters = interval_of(machine, *seen, value, outcome.value);
        if (!outcome.interval) {
            outcome.interval = of_parameters;
        } else if (of_parameters) {
            outcome.interval = both_of(outcome, *of_parameters);
        }
    }
    if (is_watched) machine.seen = seen;
    return outcome;
}

std::vector<Sensitivity> sensitivities(const Machine& machine, const NumberOf& all_predicted,
                                       const ReportProgress& progress) {
    const Machine seen = watched(machine);
    const double number = all_predicted(seen);
    if (number == 0) return {};
    Machine changed = machine;
    const double all = 1 + evaluations(machine, *seen.seen);
    double done = 1;
    const NumberOf predicted = [&](const Machine& one) {
        if (progress) progress(std::min(1.0, done++ / all));
        return all_predicted(one);
    };
    const std::vector<Squares> squares = squares_of(changed, *seen.seen, predicted, number);
    const auto [below, above] = sum_of(squares);
    std::vector<Sensitivity> found;
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        if (seen.seen->at(i) == 0) continue;
        Sensitivity one = elasticity_of(changed, i, predicted, number);
        if (below + above > 0) one.interval_share = (squares[i].below + squares[i].above) / (below + above);
        const bool reacts = one.at_step || one.kink || std::abs(one.elasticity) > 1e-9 ||
                            std::abs(one.interval_share.value_or(0)) > 1e-9;
        if (reacts) found.push_back(one);
    }
    std::ranges::stable_sort(
        found, [](const auto& a, const auto& b) { return std::abs(a.elasticity) > std::abs(b.elasticity); });
    return found;
}

}  // namespace narrows
