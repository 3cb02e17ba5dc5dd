#include "cli/frozen_predictions.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/repertoire.hpp"
#include "data/inputs.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

using Json = nlohmann::ordered_json;

std::string hash_of_program() {
    std::ifstream program("/proc/self/exe", std::ios::binary);
    return sha256(std::string(std::istreambuf_iterator<char>(program), {}));
}

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

Json json_of(const std::optional<double>& end) {
    return end ? Json(*end) : Json(nullptr);
}

Json json_of_predictions(const ValidationPlan& plan) {
    Json all = Json::array();
    for (const PlannedRun& run : plan.runs) {
        const PredictedFigure& predicted = run.expected.predicted;
        all.push_back({{"case", run.what.name},
                       {"value", predicted.value},
                       {"low", json_of(predicted.low)},
                       {"high", json_of(predicted.high)}});
    }
    for (const std::string& refused : plan.refused) all.push_back({{"refused", refused}});
    return all;
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
    throw InputError(fmt::format("--against {}: {}", file, why));
}

Json parsed(const std::string& file) {
    Json json = Json::parse(read_whole_file(file), nullptr, false);
    if (json.is_discarded() || !json.contains("frozen")) {
        refuse(file, "it has no frozen predictions: write some with --freeze FILE");
    }
    return json;
}

}  // namespace

std::string freeze(const ValidationPlan& plan, const Machine& machine, const std::string& file) {
    Json frozen = {{"program", hash_of_program()},
                   {"machine", sha256(write_machine(machine))},
                   {"choice", json_of_choice(plan.choice)},
                   {"predictions", json_of_predictions(plan)}};
    std::string hash = sha256(frozen.dump());
    write_whole_file(file, Json{{"frozen", frozen}, {"sha256", hash}}.dump(2) + "\n");
    return hash;
}

ValidationPlan frozen_plan(const Repertoire& known, const Machine& machine, const std::string& file) {
    const Json json = parsed(file);
    const Json& frozen = json.at("frozen");
    if (json.value("sha256", "") != sha256(frozen.dump())) refuse(file, "it was changed after it was frozen");
    if (frozen.value("program", "") != hash_of_program()) {
        refuse(file, "its predictions are another program's: run the one that froze them, or freeze anew");
    }
    if (frozen.value("machine", "") != sha256(write_machine(machine))) {
        refuse(file, fmt::format("its predictions are of another machine than '{}': name the machine file that they "
                                 "were made with, or freeze anew",
                                 machine.id));
    }
    const ValidationChoice choice = choice_of(frozen.at("choice"));
    ValidationPlan plan = plan_validation(validated_workload(known, choice.workload), machine, choice);
    if (json_of_predictions(plan) != frozen.at("predictions")) {
        refuse(file, "its cases are not what this machine draws now (another number of processors?): freeze anew");
    }
    return plan;
}

}  // namespace narrows
