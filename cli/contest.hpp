#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/variable.hpp"
#include "model/explore/reigns.hpp"

namespace narrows {

/// One of several that are held against each other: a machine, a code, an algorithm.
struct Contender {
    std::string name;
    OptionWords words;
    Machine machine;
};

/// Its predictions along a variable.
VariedPrediction prediction_of(const Workload& workload, const Contender& one, const Variable& variable);

/// What holds along the range of the variable, by `reigns_along`: of its values or, where there are steps, of those
/// alone. `without`, unless null, gets the values at which one of them has no prediction.
std::vector<Reign> reigns_of(const Workload& workload, const std::vector<Contender>& contenders,
                             const Variable& variable, const Range& range, const std::optional<Values>& steps,
                             const ReportProgress& progress, std::set<double>* without = nullptr);

}  // namespace narrows
