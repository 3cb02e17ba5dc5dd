#pragma once

#include <string>
#include <vector>

#include "cli/variable.hpp"

namespace narrows {

/// One of several that are held against each other: a machine, a code, an algorithm.
struct Contender {
    std::string name;
    WorkloadWords words;
    Machine machine;
};

/// Between two values of a variable, what holds there: the fastest contender, or the bottleneck of the only one.
struct Reign {
    double from = 0;
    double to = 0;
    std::string what;
    double value = 0;  ///< of the prediction at `from`, SI
};

/// The predictions of contenders along a variable.
class Contest {
  public:
    Contest(const Workload& workload, std::vector<Contender> contenders, const Variable& variable);

    /// What holds along the range, by `changes_along`; the first contender among equals. Values that not all of them
    /// can have are left out. InputError where there are no others.
    std::vector<Reign> reigns(const Range& range, const ReportProgress& progress = {}) const;
    /// The same of values alone.
    std::vector<Reign> reigns(const Values& values, const ReportProgress& progress = {}) const;
    /// Of the first contender.
    Answer answer_at(double value) const { return predictions_.front().answer_at(value); }
    const std::vector<Contender>& contenders() const { return contenders_; }

  private:
    struct Leader {
        std::string what;
        double value = 0;
    };
    Leader leader_at(double value) const;
    template <class ValueOf>
    std::vector<Reign> reigns(const Range& range, ValueOf value_of, const ReportProgress& progress) const;

    const Workload& workload_;
    std::vector<Contender> contenders_;
    std::vector<VariedPrediction> predictions_;
};

}  // namespace narrows
