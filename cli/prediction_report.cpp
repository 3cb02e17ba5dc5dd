#include "cli/prediction_report.hpp"

#include <fmt/format.h>

#include "model/uncertainty.hpp"
#include "topologies/shape.hpp"

namespace narrows {

Answer answer(const Machine& machine, const GupsQuery& query) {
    return {machine.id, query, place(machine, query),
            with_interval(machine, [&query](const Machine& changed) { return predict_gups(changed, query); })};
}

nlohmann::ordered_json json_of(const Answer& answer) {
    const Prediction& prediction = answer.prediction;
    const auto optional = [](const std::optional<Rate>& rate) {
        return rate ? nlohmann::ordered_json(rate->si()) : nlohmann::ordered_json(nullptr);
    };
    nlohmann::ordered_json json;
    json["machine"] = answer.machine;
    json["workload"] = "gups";
    json["variant"] = name_of(answer.query.variant);
    json["nodes"] = answer.placement.nodes;
    json["ranks"] = answer.placement.ranks();
    json["shape"] = format_shape(answer.placement.shape);
    json["network"] = answer.placement.nodes > 1 ? answer.placement.network.spec() : "";
    json["result"] = {{"quantity", "update_rate"},
                      {"unit", "1/s"},
                      {"value", prediction.rate.si()},
                      {"low", optional(prediction.low)},
                      {"high", optional(prediction.high)}};
    json["bottleneck"] = prediction.bottleneck;
    json["estimate"] = prediction.estimate;
    json["bounds"] = nlohmann::ordered_json::array();
    for (const Bound& bound : prediction.bounds) {
        json["bounds"].push_back({{"resource", bound.resource},
                                  {"value", bound.limit.si()},
                                  {"unit", "1/s"},
                                  {"formula", bound.formula},
                                  {"source", bound.source}});
    }
    json["terms"] = nlohmann::ordered_json::array();
    for (const Term& term : prediction.terms) {
        json["terms"].push_back({{"name", term.name}, {"value", term.time.si()}, {"unit", "s"}});
    }
    return json;
}

std::string gups_text(Rate rate) {
    const double gups = rate.si() / 1e9;
    return gups < 9999.5 ? fmt::format("{:.4g}", gups) : fmt::format("{:.0f}", gups);
}

std::string interval_text(const Prediction& prediction) {
    if (!prediction.low || !prediction.high) return "";
    return fmt::format("{} to {}", gups_text(*prediction.low), gups_text(*prediction.high));
}

std::vector<std::string> explanation(const Answer& answer) {
    const Prediction& prediction = answer.prediction;
    std::vector<std::string> lines;
    lines.push_back(fmt::format("estimate       {}", prediction.estimate));
    lines.push_back(fmt::format("valid when     {}", prediction.assumptions));
    for (const Bound& bound : prediction.bounds) {
        lines.push_back(fmt::format("{:<14} {} = {} GUPS  [{}]", bound.resource, bound.formula, gups_text(bound.limit),
                                    bound.source));
    }
    const double time = prediction.workers / prediction.rate.si();
    lines.push_back(
        fmt::format("an update takes {} of each of {:.0f} processors:", print(Time(time)), prediction.workers));
    for (const Term& term : prediction.terms) {
        lines.push_back(
            fmt::format("  {:<22} {:>10}  {:5.1f} %", term.name, print(term.time), 100 * term.time.si() / time));
    }
    return lines;
}

}  // namespace narrows
