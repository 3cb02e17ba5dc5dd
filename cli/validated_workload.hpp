#pragma once

#include <functional>
#include <string>
#include <vector>

#include "calibrate/study/case_design.hpp"
#include "cli/validation_plan.hpp"
#include "cli/workload.hpp"
#include "model/machine.hpp"

namespace narrows {

/// A case that was drawn, and how it is predicted, as long as a run of it is to be. InputError where it cannot be.
struct DrawnCase {
    std::string name;
    std::function<PlannedRun()> planned;
};

/// All that a validation knows of a workload.
struct ValidatedWorkload {
    std::string name;   ///< as `--workload` has it
    std::string title;  ///< of a picture
    Figures figures;
    std::string section;  ///< of a machine file that was calibrated for it
    std::function<DrawnCase(const Machine& machine, const UnitNumbers& next, const CaseLimits& limits)> draw;
    /// The usual cases; empty: it has none.
    std::function<std::vector<PlannedRun>(const Machine& machine, const CaseLimits& limits)> usual;
};

/// In the order in which they are named to users.
std::vector<ValidatedWorkload> validated_workloads();

/// The workload of that name. InputError with a suggestion when there is none.
ValidatedWorkload validated_workload(const std::string& name);

ValidatedWorkload validated_gups();
ValidatedWorkload validated_sweep3d();
/// All phases of messages together, and each by itself.
std::vector<ValidatedWorkload> validated_messages();

/// How long a run is to be by its prediction, so that it takes 0.2 to 5 s though that may be wrong.
inline constexpr CaseLength length_of_run = {0.7, 5};

/// An end of an interval in SI units, where there is one.
template <class Quantity>
std::optional<double> end_of(const std::optional<Quantity>& end) {
    return end ? std::optional(end->si()) : std::nullopt;
}

}  // namespace narrows
