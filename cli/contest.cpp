#include "cli/contest.hpp"

#include "cli/progress.hpp"

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
    for (const Contender& one : contenders_) {
        const VariedPrediction& prediction = predictions_[all.size()];
        all.push_back({one.name, [&prediction](double value) { return prediction.at(value); }});
    }
    return all;
}

std::vector<Reign> Contest::reigns(const Range& range, const ReportProgress& progress) const {
    return reigns_along(rivals(), workload_.is_rate, range, [&](double value) {
        if (progress) progress(share_of_way(range.from, range.to, value));
        return value;
    });
}

std::vector<Reign> Contest::reigns(const Values& values, const ReportProgress& progress) const {
    const Range places{0, static_cast<double>(values.size() - 1), true};
    return reigns_along(rivals(), workload_.is_rate, places, [&](double place) {
        if (progress) progress(share_of_way(places.from, places.to, place));
        return values.number(static_cast<std::int64_t>(place));
    });
}

}  // namespace narrows
