#include <fmt/format.h>

#include "calibrate/study/message_residuals.hpp"
#include "calibrate/study/validated_kernel.hpp"
#include "model/uncertainty.hpp"

namespace narrows {
namespace {

PlannedRun planned(const Machine& machine, const MessageStudyCase& what) {
    constexpr MessageRunLength length;
    PlannedRun run;
    run.expected.workload = name_of(what.phase);
    run.expected.variant = name_of(what.protocol);
    if (what.phase == MessagePhase::allreduce) {
        run.expected.variant = fmt::format("{} by {}", what.algorithm, name_of(what.protocol));
    }
    run.expected.ranks = what.ranks;
    run.expected.shape = fmt::format("{} B", what.bytes);
    if (what.phase == MessagePhase::halo_exchange) {
        run.expected.setting = fmt::format("{} neighbour{}", what.neighbours, what.neighbours == 1 ? "" : "s");
    }
    run.predict = [what](const Machine& of) {
        const TimePredictionOf predict = [&what](const Machine& m) { return prediction_of(m, what); };
        return figure_of(with_interval(of, predict), &TimePrediction::time);
    };
    run.what = study_case(what, prediction_of(machine, what).time.si(), length);
    run.figure = [ranks = what.ranks](double time) { return time / ranks; };
    return run;
}

}  // namespace

ValidatedWorkload validated_phase(std::string name, std::optional<MessagePhase> phase) {
    std::string title = phase ? name : "Messages";
    const auto draw = [phase](const Machine& machine, const UnitNumbers& next, const CaseLimits& limits) {
        const MessageStudyCase what = message_case_at(next, limits, phase);
        return DrawnCase{what.name(), [&machine, what] { return planned(machine, what); }};
    };
    return {std::move(name), std::move(title), {"time", "µs", 1e6, false}, "protocols", draw, {}};
}

}  // namespace narrows
