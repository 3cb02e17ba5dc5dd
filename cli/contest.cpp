#include "cli/contest.hpp"

namespace narrows {

Contest::Contest(const Workload& workload, std::vector<Contender> contenders, const Variable& variable)
    : workload_(workload), contenders_(std::move(contenders)) {
    for (const Contender& one : contenders_) {
        Variable own(workload, one.words, one.machine, variable.name());
        own.write_like(variable);
        predictions_.emplace_back(workload, one.words, one.machine, own);
    }
}

std::vector<Rival> Contest::rivals() const {
    std::vector<Rival> all;
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
        all.push_back({contenders_[i].name, [&one = predictions_[i]](double value) { return one.at(value); }});
    }
    return all;
}

std::vector<Reign> Contest::reigns(const Range& range) const {
    return reigns_along(rivals(), workload_.is_rate, range);
}

std::vector<Reign> Contest::reigns(const Values& values) const {
    return reigns_along(rivals(), workload_.is_rate, {0, static_cast<double>(values.size() - 1), true},
                        [&values](double place) { return values.number(static_cast<std::int64_t>(place)); });
}

}  // namespace narrows
