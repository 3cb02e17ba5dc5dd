#include "model/explore/reigns.hpp"

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// What holds at a value.
struct Leader {
    std::string what;
    double value = 0;
};

Leader leader_at(const std::vector<Rival>& rivals, bool is_rate, double value) {
    if (rivals.size() == 1) {
        const Outcome only = rivals.front().outcome(value);
        return {only.bottleneck, only.value};
    }
    std::optional<Leader> best;
    for (const Rival& one : rivals) {
        const double result = one.outcome(value).value;
        constexpr double by_rounding = 1e-12;
        const double change = best ? result / best->value - 1 : 0;
        if (!best || (is_rate ? change > by_rounding : change < -by_rounding)) best = {one.name, result};
    }
    return *best;
}

}  // namespace

std::vector<Reign> reigns_along(const std::vector<Rival>& rivals, bool is_rate, const Range& range,
                                const std::function<double(double)>& value_of) {
    const auto leader = [&](double place) { return leader_at(rivals, is_rate, value_of(place)); };
    std::optional<double> first, last;
    std::optional<InputError> refused;
    const LabelAt label = [&](double place) -> std::optional<std::string> {
        try {
            std::string what = leader(place).what;
            if (!first) first = place;
            if (!last || (place - *last) * (range.to - range.from) > 0) last = place;
            return what;
        } catch (const InputError& error) {
            if (!refused) refused = error;
            return std::nullopt;
        }
    };
    const std::vector<Change> changes = changes_along(range, label);
    if (!first) throw InputError(*refused);
    std::vector<Reign> found;
    const auto begin = [&](double place, const std::string& what) {
        found.push_back({value_of(place), value_of(*last), what, leader(place).value});
    };
    begin(*first, leader(*first).what);
    for (const Change& change : changes) {
        found.back().to = value_of(change.last);
        begin(change.next, change.after);
    }
    return found;
}

}  // namespace narrows
