#pragma once

#include <functional>
#include <string>
#include <vector>

#include "calibrate/study/case_design.hpp"
#include "cli/validation_plan.hpp"
#include "cli/workload.hpp"
#include "model/machine.hpp"

namespace narrows {

/// A case that was drawn, and its run, as long as it is to be; its prediction throws InputError where there is none.
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

/// The workload of that name, or of that file. InputError with a suggestion when there is none.
ValidatedWorkload validated_workload(const std::string& name);

ValidatedWorkload validated_gups();
ValidatedWorkload validated_sweep3d();
/// All phases of messages together, and each by itself.
std::vector<ValidatedWorkload> validated_messages();
/// The program of a workload file on one rank a processor or fewer, by any protocol: its options from a thousandth of
/// their usual values on, smaller where a run would take longer than half a second; phases that overlap by the file one
/// after the other, as runs have them. `name` as `load_program` takes it.
ValidatedWorkload validated_program(const std::string& name);

/// How long a run is to be by its prediction, so that it takes 0.2 to 5 s though that may be wrong.
inline constexpr CaseLength length_of_run = {0.7, 5};

/// A predicted time or rate with the ends of its interval, where it has them.
template <class Quantity>
PredictedFigure figure_of(Quantity value, const std::optional<Quantity>& low, const std::optional<Quantity>& high) {
    const auto end = [](const std::optional<Quantity>& of) { return of ? std::optional(of->si()) : std::nullopt; };
    return {value.si(), end(low), end(high)};
}

}  // namespace narrows
