#include "cli/contest.hpp"

#include <optional>

#include "cli/progress.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

Contest::Contest(const Workload& workload, std::vector<Contender> contenders, const Variable& variable)
    : workload_(workload), contenders_(std::move(contenders)) {
    for (const Contender& one : contenders_) {
        Variable own(workload, one.words, one.machine, variable.name());
        own.write_like(variable);
        predictions_.emplace_back(workload, one.words, one.machine, own);
    }
}

Contest::Leader Contest::leader_at(double value) const {
    if (predictions_.size() == 1) {
        const Outcome only = predictions_.front().at(value);
        return {only.bottleneck, only.value};
    }
    std::optional<Leader> best;
    for (std::size_t i = 0; i < predictions_.size(); ++i) {
        const double result = predictions_[i].at(value).value;
        constexpr double by_rounding = 1e-12;
        const double change = best ? result / best->value - 1 : 0;
        if (!best || (workload_.is_rate ? change > by_rounding : change < -by_rounding)) {
            best = {contenders_[i].name, result};
        }
    }
    return *best;
}

template <class ValueOf>
std::vector<Reign> Contest::reigns(const Range& range, ValueOf value_of, const ReportProgress& progress) const {
    std::optional<double> first, last;
    std::optional<InputError> refused;
    const LabelAt label = [&](double place) -> std::optional<std::string> {
        if (progress) progress(share_of_way(range.from, range.to, place));
        try {
            std::string what = leader_at(value_of(place)).what;
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
        found.push_back({value_of(place), value_of(*last), what, leader_at(value_of(place)).value});
    };
    begin(*first, leader_at(value_of(*first)).what);
    for (const Change& change : changes) {
        found.back().to = value_of(change.last);
        begin(change.next, change.after);
    }
    return found;
}

std::vector<Reign> Contest::reigns(const Range& range, const ReportProgress& progress) const {
    return reigns(
        range, [](double value) { return value; }, progress);
}

std::vector<Reign> Contest::reigns(const Values& values, const ReportProgress& progress) const {
    return reigns(
        {0, static_cast<double>(values.size() - 1), true},
        [&values](double place) { return values.number(static_cast<std::int64_t>(place)); }, progress);
}

}  // namespace narrows
