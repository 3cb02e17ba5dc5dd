#pragma once

#include <string>
#include <vector>

#include "cli/variable.hpp"
#include "model/explore/reigns.hpp"

namespace narrows {

/// One of several that are held against each other: a machine, a code, an algorithm.
struct Contender {
    std::string name;
    WorkloadWords words;
    Machine machine;
};

/// The predictions of contenders along a variable.
class Contest {
  public:
    Contest(const Workload& workload, std::vector<Contender> contenders, const Variable& variable);

    /// What holds along the range, by `reigns_along`.
    std::vector<Reign> reigns(const Range& range, const ReportProgress& progress = {}) const;
    /// The same of values alone.
    std::vector<Reign> reigns(const Values& values, const ReportProgress& progress = {}) const;
    /// Of the first contender.
    Answer answer_at(double value) const { return predictions_.front().answer_at(value); }
    const std::vector<Contender>& contenders() const { return contenders_; }

  private:
    std::vector<Rival> rivals() const;

    const Workload& workload_;
    std::vector<Contender> contenders_;
    std::vector<VariedPrediction> predictions_;
};

}  // namespace narrows
