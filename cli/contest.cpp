#include "cli/contest.hpp"

#include <limits>

#include "cli/progress.hpp"

namespace narrows {

VariedPrediction prediction_of(const Workload& workload, const Contender& one, const Variable& variable) {
    Variable own(workload, one.words, one.machine, variable.name());
    own.write_like(variable);
    return {workload, one.words, one.machine, own};
}

std::vector<Reign> reigns_of(const Workload& workload, const std::vector<Contender>& contenders,
                             const Variable& variable, const Range& range, const std::optional<Values>& steps,
                             const ReportProgress& progress, std::set<double>* without) {
    std::vector<Rival> rivals;
    for (const Contender& one : contenders) {
        const VariedPrediction prediction = prediction_of(workload, one, variable);
        rivals.push_back({one.name, [prediction, without](double value) {
                              try {
                                  return prediction.at(value);
                              } catch (const InputError&) {
                                  if (without != nullptr) without->insert(value);
                                  throw;
                              }
                          }});
    }
    const auto each = std::numeric_limits<double>::infinity();
    const Range places = steps ? Range{0, static_cast<double>(steps->size() - 1), true, each} : range;
    return reigns_along(rivals, workload.is_rate, places, [&](double place) {
        if (progress) progress(share_of_way(places.from, places.to, place));
        return steps ? steps->number(static_cast<std::int64_t>(place)) : place;
    });
}

}  // namespace narrows
