#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/measure/order_statistics.hpp"
#include "calibrate/study/case_design.hpp"
#include "calibrate/study/message_space.hpp"
#include "calibrate/study/study_case.hpp"
#include "model/machine.hpp"
#include "model/program/program.hpp"
#include "model/shown_unit.hpp"

namespace narrows {

/// A rate or a time in SI units, and its 95 % interval where it has one.
struct PredictedFigure {
    double value = 0;
    std::optional<double> low;
    std::optional<double> high;

    /// Half of the interval over the value; 0 without an interval.
    double half_width() const;
    bool holds(double measured) const;
};

/// A run that no fit saw, predicted and measured.
struct ValidationCase {
    std::string variant;  ///< empty: the workload has none
    int ranks = 0;
    std::string shape;
    std::string setting;  ///< what else the case has, in words; may be empty
    PredictedFigure predicted = {};
    OrderEstimate measured = {};
    std::string workload = {};      ///< where cases of several are validated together, else empty
    double core_distance = 0;       ///< beside its median run, seconds of a cache line from core to core; 0: unknown
    PredictedFigure in_state = {};  ///< what is predicted of the machine in its state beside that run

    double error_of(const PredictedFigure& figure) const { return figure.value / measured.value - 1; }
};

/// A case to be run, and what a sample of it says in the figures of its prediction.
struct PlannedRun {
    ValidationCase expected;
    std::function<PredictedFigure(const Machine&)> predict;
    StudyCase what;
    std::function<double(double per_update)> figure;
};

/// Which cases: the `usual` ones, the powers of two between those that the calibration's fit sees; or so many, drawn by
/// a seed from the space that both `predict` and `run` accept.
struct ValidationChoice {
    std::string workload;  ///< that is validated, or the name of a workload file
    int most_ranks = 65536;
    bool usual = false;
    int cases = 40;
    std::uint64_t seed = 1;
    std::size_t memory = 0;  ///< bytes that cases may take; 0: what is free now
};

/// A case that was drawn, and its run, as long as it is to be; its prediction throws InputError where there is none.
struct DrawnCase {
    std::string name;
    std::function<PlannedRun()> planned;
};

/// All that a validation knows of a workload.
struct ValidatedWorkload {
    std::string name;   ///< as `--workload` has it
    std::string title;  ///< of a picture
    ShownUnit figures;
    std::string section;  ///< of a machine file that was calibrated for it
    std::function<DrawnCase(const Machine& machine, const UnitNumbers& next, const CaseLimits& limits)> draw;
    /// The usual cases; empty: it has none.
    std::function<std::vector<PlannedRun>(const Machine& machine, const CaseLimits& limits)> usual;
};

/// What a validation is going to run.
struct ValidationPlan {
    ValidationChoice choice;
    std::string title;  ///< of a picture
    ShownUnit figures;
    std::vector<PlannedRun> runs;
    std::vector<std::string> refused;  ///< cases that were drawn but cannot be predicted, and why
    bool frozen = false;               ///< whether the predictions were written down before
};

/// The cases with their predictions; those drawn are as long as a second's run by their prediction. InputError when
/// there are none. Precondition: the workload has usual cases where they are asked for.
ValidationPlan plan_validation(const ValidatedWorkload& workload, const Machine& machine,
                               const ValidationChoice& choice);

/// What a validation found, and what disturbed it.
struct Validation {
    std::string workload;
    std::string title;  ///< of a picture
    ShownUnit figures;
    std::vector<ValidationCase> cases;
    std::vector<std::string> refused;   ///< cases that could not be predicted
    std::optional<std::uint64_t> seed;  ///< of cases that were drawn
    std::vector<std::string> evidence;  ///< of noise, a sentence each
};

/// What the runs of a validation may take.
struct ValidationLimits {
    int repeats = 0;       ///< runs of each case that count
    double seconds = 300;  ///< of usual cases, in search of runs in the calibration's state
};

/// Runs the cases in random order. Of drawn cases, each predicted for the machine as it is before its runs unless the
/// plan's predictions are frozen, the median of the times counts; of usual ones the first quartile of those in the
/// calibration's state. `progress` hears what fraction is done.
Validation validate_here(const Machine& machine, ValidationPlan plan, const ValidationLimits& allowed,
                         const std::function<void(double)>& progress);

/// How well predictions did.
struct ValidationSummary {
    double median_error = 0;
    double worst_error = 0;
    double coverage = 0;
    double median_half_width = 0;
};

/// Of the predictions of the machine, or of those of its state beside the runs.
ValidationSummary summary_of(const std::vector<ValidationCase>& cases, PredictedFigure ValidationCase::*predicted);

/// Why its predictions are not to be trusted: a median error above 20 %, or fewer than four of five intervals that
/// held; none when they are.
std::optional<std::string> failure_of(const Validation& validation);

ValidatedWorkload validated_gups();
ValidatedWorkload validated_sweep3d();
/// Messages of this phase, or of all.
ValidatedWorkload validated_phase(std::string name, std::optional<MessagePhase> phase);
/// A program on one rank a processor or fewer, by any protocol: its options from a hundredth of their usual values on,
/// smaller where a run would take longer than half a second; phases that overlap by its file one after the other, as
/// runs have them. `name` is that of a `ValidationChoice`.
ValidatedWorkload validated_program(const std::string& name, const std::shared_ptr<const Program>& program);

/// How long a run is to be by its prediction, so that it takes 0.2 to 5 s though that may be wrong.
inline constexpr CaseLength length_of_run = {0.7, 5};

/// A predicted time with the ends of its interval, where it has them, or a rate, which is given.
template <class Predicted>
PredictedFigure figure_of(const Predicted& prediction, auto Predicted::*value) {
    const auto end = [](const auto& of) { return of ? std::optional(of->si()) : std::nullopt; };
    return {(prediction.*value).si(), end(prediction.low), end(prediction.high)};
}

}  // namespace narrows
