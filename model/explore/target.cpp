#include "model/explore/target.hpp"

#include <cmath>

#include "topologies/input_error.hpp"

namespace narrows {

std::optional<double> solved_value(const OutcomeAt& prediction, const Surroundings& around, const Target& target) {
    return just_holding(around, [&](double value) -> std::optional<bool> {
        try {
            return target.is_reached_by(prediction(value).value);
        } catch (const InputError&) {
            return std::nullopt;
        }
    });
}

SolutionEnds solution_ends(const OutcomeAt& with_interval, const Surroundings& around, const Target& target,
                           double solution) {
    if (!with_interval(solution).interval) return {};
    const auto solved_by = [&](double Interval::*end) {
        const auto at_end = [&](double value) {
            Outcome outcome = with_interval(value);
            if (outcome.interval) outcome.value = *outcome.interval.*end;
            return outcome;
        };
        return solved_value(at_end, around, target);
    };
    const auto low = solved_by(&Interval::high), high = solved_by(&Interval::low);
    const bool swapped = low && high ? *low > *high : low ? *low > solution : high && *high < solution;
    return swapped ? SolutionEnds{high, low} : SolutionEnds{low, high};
}

OutOfReach out_of_reach(const OutcomeAt& prediction, const Surroundings& around, const Target& target) {
    OutOfReach found{around.now, false};
    const double now = prediction(around.now).value;
    double most = now;
    solved_value(
        [&](double value) {
            Outcome outcome = prediction(value);
            found.follows = found.follows || std::abs(outcome.value / now - 1) > 1e-12;
            if (target.is_time ? outcome.value < most : outcome.value > most) {
                found.best = value;
                most = outcome.value;
            }
            return outcome;
        },
        around, target);
    return found;
}

}  // namespace narrows
