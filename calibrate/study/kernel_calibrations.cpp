#include <fmt/format.h>

#include <algorithm>

#include "calibrate/measure/page_time.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/calibration.hpp"
#include "calibrate/study/computing_fit.hpp"
#include "calibrate/study/gups_residuals.hpp"
#include "calibrate/study/sweep_fit.hpp"
#include "calibrate/study/sweep_residuals.hpp"

namespace narrows {
namespace {

// `timed(what)` makes a case something to be timed, `fit` is told the cases, their samples and how to fit them.
template <class Case, class Timed, class Fit>
FittedCases fitted(const std::vector<Case>& cases, const Timed& timed, const Fit& fit) {
    FittedCases made;
    for (const Case& what : cases) made.cases.push_back(timed(what));
    made.fit = [cases, fit](const std::vector<Sample>& samples, const FitOptions& options) {
        return fit(cases, samples, options);
    };
    return made;
}

FittedCases fitted_gups(const std::vector<GupsCase>& cases) {
    return fitted(
        cases, [](const GupsCase& what) { return study_case(what); },
        [](const auto&... all) { return fit_gups(all...).parameters; });
}

FittedCases fitted_sweeps(const std::vector<SweepCase>& cases) {
    return fitted(
        cases, [](const SweepCase& what) { return study_case(what); }, fit_sweep3d);
}

FittedCases fitted_computing(int workers) {
    constexpr double seconds = 0.02;   // of a run on a slow processor,
    constexpr double slow_pace = 5e9;  // operations and bytes a second
    const auto timed = [](const ComputingCase& what) {
        return study_case(what, static_cast<double>(what.flops + what.memory) / slow_pace, seconds);
    };
    return fitted(computing_cases(workers), timed, fit_computing);
}

// Those that are new.
void add_cases(std::vector<GupsCase>& cases, const std::vector<GupsCase>& more) {
    for (const GupsCase& what : more) {
        const bool known =
            std::ranges::any_of(cases, [&what](const GupsCase& other) { return other.name() == what.name(); });
        if (!known) cases.push_back(what);
    }
}

// All that a quick or a full calibration may have run, and these.
std::vector<GupsCase> all_cases(int workers, const std::vector<GupsCase>& more) {
    constexpr std::size_t enough_memory = std::size_t{1} << 50;
    std::vector<GupsCase> cases = calibration_cases(Effort::full, workers, enough_memory);
    add_cases(cases, calibration_cases(Effort::quick, workers, enough_memory));
    add_cases(cases, more);
    return cases;
}

// Updates of tables alone: which the largest were depends on the memory of the machine that was measured.
std::vector<GupsCase> updates_of(const std::vector<Sample>& samples) {
    std::vector<GupsCase> cases;
    for (const Sample& taken : samples) {
        const auto what = gups_case_named(taken.name);
        if (what && what->options.variant == GupsVariant::local) add_cases(cases, {*what});
    }
    return cases;
}

// Without tables whose first writes take a fifteenth of a calibration.
FittedCases planned_gups(Effort effort, int workers, std::size_t memory) {
    constexpr double most_seconds = 20;
    const double seconds = first_write_seconds();
    const double most_bytes = most_seconds / seconds;
    std::vector<GupsCase> cases = calibration_cases(effort, workers, memory);
    const auto left_out = std::erase_if(cases, [most_bytes](const GupsCase& what) {
        return what.options.pages == PageSize::small &&
               static_cast<double>(what.options.table_words * sizeof(Word)) > most_bytes;
    });
    FittedCases fitted = fitted_gups(cases);
    if (left_out > 0) {
        fitted.fit = fitted_gups(all_cases(workers, cases)).fit;  // there may be samples of them from a session before
        fitted.left_out = fmt::format("tables on 4 KiB pages above {:.0f} MiB: first writes take {:.1f} s a GiB",
                                      mebibytes(most_bytes), seconds * (std::size_t{1} << 30));
    }
    return fitted;
}

// The cases of Sweep3D that a quick or a full calibration ran, whichever has more samples.
std::vector<SweepCase> sweep_cases_of(const std::vector<Sample>& samples, int workers) {
    const auto count = [&samples](const std::vector<SweepCase>& cases) {
        return std::ranges::count_if(cases,
                                     [&](const SweepCase& what) { return !times_of(samples, what.name()).empty(); });
    };
    std::vector<SweepCase> full = sweep_cases(Effort::full, workers);
    std::vector<SweepCase> quick = sweep_cases(Effort::quick, workers);
    return count(quick) > count(full) ? quick : full;
}

}  // namespace

CalibratedKernel calibrated_gups() {
    return {"RandomAccess",
            planned_gups,
            [](const std::vector<Sample>& samples, int workers) {
                return fitted_gups(all_cases(workers, updates_of(samples)));
            },
            gups_space(),
            0.5,
            0.16};
}

CalibratedKernel calibrated_sweep3d() {
    return {
        "Sweep3D",
        [](Effort effort, int workers, std::size_t) { return fitted_sweeps(sweep_cases(effort, workers)); },
        [](const std::vector<Sample>& samples, int workers) { return fitted_sweeps(sweep_cases_of(samples, workers)); },
        sweep_space(),
        0.2,
        0.09};
}

CalibratedKernel calibrated_computing() {
    return {"computing phases",
            [](Effort, int workers, std::size_t) { return fitted_computing(workers); },
            [](const std::vector<Sample>&, int workers) { return fitted_computing(workers); },
            computing_space(),
            0.03,
            0.08};
}

}  // namespace narrows
