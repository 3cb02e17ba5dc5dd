#include "calibrate/study/frozen_predictions.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Json = nlohmann::ordered_json;

Json json_of_choice(const ValidationChoice& choice) {
    return {{"workload", choice.workload}, {"usual", choice.usual},          {"cases", choice.cases},
            {"seed", choice.seed},         {"max_ranks", choice.most_ranks}, {"memory", choice.memory}};
}

ValidationChoice choice_of(const Json& json) {
    ValidationChoice choice;
    choice.workload = json.at("workload");
    choice.usual = json.at("usual");
    choice.cases = json.at("cases");
    choice.seed = json.at("seed");
    choice.most_ranks = json.at("max_ranks");
    choice.memory = json.at("memory");
    return choice;
}

Json json_of_predictions(const ValidationPlan& plan) {
    const auto end = [](const std::optional<double>& of) { return of ? Json(*of) : Json(nullptr); };
    Json all = Json::array();
    for (const PlannedRun& run : plan.runs) {
        const PredictedFigure& predicted = run.expected.predicted;
        all.push_back({{"case", run.what.name},
                       {"value", predicted.value},
                       {"low", end(predicted.low)},
                       {"high", end(predicted.high)}});
    }
    for (const std::string& refused : plan.refused) all.push_back({{"refused", refused}});
    return all;
}

}  // namespace

void FrozenPredictions::require_of(const ValidationPlan& plan) const {
    if (json_of_predictions(plan) == Json::parse(text).at("frozen").at("predictions")) return;
    throw InputError("its cases are not what this machine draws now (another number of processors?): freeze anew");
}

FrozenPredictions freeze(const ValidationPlan& plan, const FrozenBy& by) {
    const Json frozen = {{"program", by.program},
                         {"machine", by.machine},
                         {"choice", json_of_choice(plan.choice)},
                         {"predictions", json_of_predictions(plan)}};
    std::string hash = by.sha256(frozen.dump());
    std::string text = Json{{"frozen", frozen}, {"sha256", hash}}.dump(2) + "\n";
    return {plan.choice, std::move(text), std::move(hash)};
}

bool has_frozen_predictions(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    return !json.is_discarded() && json.contains("frozen");
}

FrozenPredictions read_frozen(const std::string& text, const FrozenBy& by) {
    const Json json = Json::parse(text);
    const Json& frozen = json.at("frozen");
    const Json hash = json.value("sha256", Json());
    if (hash != by.sha256(frozen.dump())) throw InputError("it was changed after it was frozen");
    if (!frozen.contains("predictions")) throw InputError("it is not what --freeze writes: freeze anew");
    if (frozen.value("program", "") != by.program) {
        throw InputError("its predictions are another program's: run the one that froze them, or freeze anew");
    }
    if (frozen.value("machine", "") != by.machine) {
        throw InputError(
            fmt::format("its predictions are of another machine than '{}': name the machine file that "
                        "they were made with, or freeze anew",
                        by.machine_id));
    }
    try {
        return {choice_of(frozen.at("choice")), text, hash};
    } catch (const Json::exception&) {
        throw InputError("it is not what --freeze writes: freeze anew");
    }
}

}  // namespace narrows
