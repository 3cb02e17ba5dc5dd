#include "cli/validation_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/case_space.hpp"
#include "calibrate/study/gups_residuals.hpp"
#include "calibrate/study/sampling.hpp"
#include "calibrate/study/sweep_fit.hpp"
#include "calibrate/study/sweep_residuals.hpp"
#include "calibrate/study/validation.hpp"
#include "model/gups/workload.hpp"
#include "model/uncertainty.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

// So that runs take 0.2 to 5 s though they may differ from what is predicted.
constexpr RunLength length_of_run = {0.7, 5};

template <class Quantity>
std::optional<double> end_of(const std::optional<Quantity>& end) {
    return end ? std::optional(end->si()) : std::nullopt;
}

std::string table_text(const GupsOptions& options) {
    constexpr double mebi = 1024.0 * 1024;
    const double table = static_cast<double>(options.table_words) * 8;
    return table < mebi ? fmt::format("{} KiB", table / 1024) : fmt::format("{} MiB", table / mebi);
}

PlannedRun planned(const Machine& machine, const GupsCase& what) {
    const GupsQuery query = query_of(what);
    const Prediction prediction =
        with_interval(machine, PredictionOf([&query](const Machine& m) { return predict_gups(m, query); }));
    const GupsOptions& options = what.options;
    PlannedRun run;
    run.expected.variant = name_of(query.variant);
    run.expected.ranks = options.ranks;
    run.expected.shape = options.shape.empty() ? std::to_string(options.ranks) : format_shape(options.shape);
    run.expected.setting = fmt::format("{}{}{}", table_text(options),
                                       options.bucket > 0 ? fmt::format(", buckets of {}", options.bucket) : "",
                                       options.pages == PageSize::small ? ", 4 KiB pages" : "");
    run.expected.predicted = prediction.rate.si();
    run.expected.low = end_of(prediction.low);
    run.expected.high = end_of(prediction.high);
    run.what = study_case(what);
    run.figure = [workers = options.workers](double time) { return workers / time; };
    return run;
}

PlannedRun planned(const Machine& machine, const SweepCase& what) {
    const SweepQuery query = query_of(machine, what);
    const TimePrediction prediction = predict_sweep3d(machine, query);
    const auto& [i, j, k] = query.cells;
    PlannedRun run;
    run.expected.ranks = query.ranks();
    run.expected.shape =
        fmt::format("{} of {}, {} planes, {}{} angles{}", format_shape({query.grid[0], query.grid[1]}),
                    format_shape({i, j, k}), query.planes, query.angle_block,
                    query.angles == 6 ? "" : fmt::format(" of {}", query.angles), query.moments == 4 ? "" : ", P0");
    run.expected.predicted = prediction.time.si();
    run.expected.low = end_of(prediction.low);
    run.expected.high = end_of(prediction.high);
    run.what = study_case(what);
    run.figure = [cells = what.cell_angles(), workers = what.workers](double time) { return time * cells / workers; };
    return run;
}

// Draws cases until there are enough; those that cannot be predicted are told, and not drawn for ever.
template <class Draw>
void draw(const Machine& machine, const ValidationChoice& choice, const Draw& draw_case, ValidationPlan& plan) {
    std::mt19937_64 random(choice.seed);
    // The same on every machine, as std::uniform_real_distribution need not be.
    const UnitNumbers next = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    CaseLimits limits;
    limits.workers = Cores().count();
    limits.most_ranks = choice.most_ranks;
    limits.memory = choice.memory;
    while (static_cast<int>(plan.runs.size() + plan.refused.size()) < choice.cases) {
        const auto what = draw_case(next, limits);
        try {
            const auto sized = of_length(machine, what, length_of_run);
            const bool known = std::any_of(plan.runs.begin(), plan.runs.end(), [&sized](const PlannedRun& other) {
                return other.what.name == sized.name();
            });
            if (!known) plan.runs.push_back(planned(machine, sized));
        } catch (const InputError& error) {
            plan.refused.push_back(fmt::format("{}: {}", what.name(), error.what()));
        }
    }
}

}  // namespace

bool ValidationCase::held() const {
    return low && high && *low <= measured.value && measured.value <= *high;
}

double ValidationCase::half_width() const {
    return low && high ? (*high - *low) / 2 / predicted : 0;
}

ValidationPlan plan_validation(const Machine& machine, const ValidationChoice& asked) {
    ValidationPlan plan;
    plan.choice = asked;
    if (asked.memory == 0) plan.choice.memory = available_memory();
    const ValidationChoice& choice = plan.choice;
    const bool sweep = choice.workload == "sweep3d";
    plan.title = sweep ? "Sweep3D" : "RandomAccess";
    plan.figures = sweep ? Figures{"time", "ms", 1e3, false} : Figures{"rate", "GUPS", 1e-9, true};
    const int cores = Cores().count();
    if (!choice.usual && sweep) {
        draw(machine, choice, sweep_case_at, plan);
    } else if (!choice.usual) {
        draw(machine, choice, gups_case_at, plan);
    } else if (sweep) {
        for (const SweepCase& what : sweep_validation_cases(cores, choice.most_ranks))
            plan.runs.push_back(planned(machine, what));
    } else {
        for (const GupsCase& what : validation_cases(cores, choice.most_ranks, choice.memory))
            plan.runs.push_back(planned(machine, what));
    }
    if (!plan.runs.empty()) return plan;
    if (!plan.refused.empty()) throw InputError(fmt::format("no case can be predicted: {}", plan.refused.front()));
    throw InputError(fmt::format("--max-ranks {}: no size below it is free of the fit", choice.most_ranks));
}

}  // namespace narrows
