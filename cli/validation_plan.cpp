#include "cli/validation_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "cli/validated_workload.hpp"
#include "data/workload_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

CaseLimits limits_of(const ValidationChoice& choice) {
    CaseLimits limits;
    limits.workers = Cores().count();
    limits.most_ranks = choice.most_ranks;
    limits.memory = choice.memory;
    return limits;
}

// Draws cases until there are enough; those that cannot be predicted are told, and not drawn for ever.
void draw(const Machine& machine, const ValidatedWorkload& workload, ValidationPlan& plan) {
    std::mt19937_64 random(plan.choice.seed);
    // The same on every machine, as std::uniform_real_distribution need not be.
    const UnitNumbers next = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    const CaseLimits limits = limits_of(plan.choice);
    while (static_cast<int>(plan.runs.size() + plan.refused.size()) < plan.choice.cases) {
        const DrawnCase drawn = workload.draw(machine, next, limits);
        try {
            PlannedRun run = drawn.planned();
            run.expected.predicted = run.predict(machine);
            const bool known = std::any_of(plan.runs.begin(), plan.runs.end(), [&run](const PlannedRun& other) {
                return other.what.name == run.what.name;
            });
            if (!known) plan.runs.push_back(std::move(run));
        } catch (const InputError& error) {
            plan.refused.push_back(fmt::format("{}: {}", drawn.name, error.what()));
        }
    }
}

}  // namespace

std::vector<ValidatedWorkload> validated_workloads() {
    std::vector<ValidatedWorkload> all = {validated_gups(), validated_sweep3d()};
    for (ValidatedWorkload& each : validated_messages()) all.push_back(std::move(each));
    return all;
}

ValidatedWorkload validated_workload(const std::string& name) {
    std::vector<std::string> names;
    for (ValidatedWorkload& each : validated_workloads()) {
        if (each.name == name) return std::move(each);
        names.push_back(each.name);
    }
    if (is_workload_file(name)) return validated_program(name);
    throw InputError(fmt::format("--workload: there is no '{}' to validate{} (there are: {}, and workload files)", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
}

bool PredictedFigure::holds(double measured) const {
    return low && high && *low <= measured && measured <= *high;
}

double PredictedFigure::half_width() const {
    return low && high ? (*high - *low) / 2 / value : 0;
}

ValidationPlan plan_validation(const Machine& machine, const ValidationChoice& asked) {
    const ValidatedWorkload workload = validated_workload(asked.workload);
    ValidationPlan plan;
    plan.choice = asked;
    if (asked.memory == 0) plan.choice.memory = available_memory();
    plan.title = workload.title;
    plan.figures = workload.figures;
    if (!asked.usual) {
        draw(machine, workload, plan);
    } else if (workload.usual) {
        plan.runs = workload.usual(machine, limits_of(plan.choice));
        for (PlannedRun& run : plan.runs) run.expected.predicted = run.predict(machine);
    } else {
        throw InputError(fmt::format("--usual: {} has no usual cases: leave it out", asked.workload));
    }
    if (!plan.runs.empty()) return plan;
    if (!plan.refused.empty()) throw InputError(fmt::format("no case can be predicted: {}", plan.refused.front()));
    throw InputError(fmt::format("--max-ranks {}: no size below it was left out of the fit", asked.most_ranks));
}

}  // namespace narrows
