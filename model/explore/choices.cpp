#include "model/explore/choices.hpp"

#include <algorithm>
#include <optional>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

bool is_inside(double value, const std::optional<Interval>& interval) {
    return interval && interval->low <= value && value <= interval->high;
}

}  // namespace

Ranking ranked_choices(std::size_t choices, const std::function<Outcome(std::size_t)>& outcome, bool is_rate) {
    std::vector<RankedChoice> found;
    std::optional<InputError> refused;
    for (std::size_t choice = 0; choice < choices; ++choice) {
        try {
            found.push_back({choice, outcome(choice)});
        } catch (const InputError& error) {
            if (!refused) refused = error;
        }
    }
    if (found.empty()) throw InputError(*refused);
    std::ranges::stable_sort(found, [is_rate](const RankedChoice& one, const RankedChoice& other) {
        return is_rate ? one.outcome.value > other.outcome.value : one.outcome.value < other.outcome.value;
    });
    const Outcome best = found.front().outcome;
    for (RankedChoice& one : found) {
        one.like_best = is_inside(one.outcome.value, best.interval) || is_inside(best.value, one.outcome.interval);
    }
    found.front().like_best = true;
    return {found, refused ? refused->what() : ""};
}

}  // namespace narrows
