#include "cli/prediction_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/verdict.hpp"
#include "model/demand/placement.hpp"
#include "model/demand/servers.hpp"

namespace narrows {
namespace {

template <class Value>
std::optional<double> number(const std::optional<Value>& value) {
    return value ? std::optional<double>(value->si()) : std::nullopt;
}

// What predictions of rates and of times have alike; the result in JSON is in SI units, `figures` are a reader's.
template <class Predicted>
void put_result(Answer& answer, const Figures& figures, const char* quantity, const char* unit, double value,
                const Predicted& prediction) {
    answer.figures = figures;
    answer.value = value;
    answer.low = number(prediction.low);
    answer.high = number(prediction.high);
    answer.bottleneck = prediction.bottleneck;
    answer.json["result"] =
        json_of_result(quantity, unit, answer.value, json_or_null(answer.low), json_or_null(answer.high));
    answer.json["bottleneck"] = answer.bottleneck;
    answer.json["estimate"] = prediction.estimate;
}

std::string value_text(double si, Dimension dimension) {
    switch (dimension) {
        case Dimension::time:
            return print(Time(si));
        case Dimension::data:
            return print(Data(si));
        case Dimension::bandwidth:
            return print(Bandwidth(si));
        case Dimension::frequency:
            return print(Rate(si));
        case Dimension::number:
            return fmt::format("{:.6g}", si);
        default:
            return fmt::format("{:.4g} {}", si, base_unit(dimension));
    }
}

nlohmann::ordered_json symbols_json(const std::vector<Symbol>& symbols) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Symbol& symbol : symbols) {
        json.push_back({{"name", symbol.name},
                        {"meaning", symbol.meaning},
                        {"value", symbol.value},
                        {"unit", base_unit(symbol.dimension)}});
    }
    return json;
}

// A line a symbol.
void explain_symbols(Answer& answer, const std::vector<Symbol>& symbols) {
    std::size_t names = 0, meanings = 0;
    for (const Symbol& symbol : symbols) {
        names = std::max(names, symbol.name.size());
        meanings = std::max(meanings, symbol.meaning.size());
    }
    for (const auto& [name, meaning, value, dimension] : symbols) {
        answer.explanation.push_back(
            fmt::format("  {:<{}}  {:<{}}  {}", name, names, meaning, meanings, value_text(value, dimension)));
    }
}

void put_bounds(Answer& answer, const Prediction& prediction) {
    answer.json["bounds"] = nlohmann::ordered_json::array();
    for (const Bound& bound : prediction.bounds) {
        std::string formula(bound.formula);
        std::vector<Symbol> symbols = bound.symbols;
        if (prediction.beside.factor != 1) {
            formula = fmt::format("{} / r", formula);
            symbols.emplace_back("r", "time of measured runs over the model's", prediction.beside.factor);
        }
        answer.json["bounds"].push_back({{"resource", name_of(bound.resource)},
                                         {"value", bound.limit.si()},
                                         {"unit", "1/s"},
                                         {"formula", formula},
                                         {"source", bound.source},
                                         {"symbols", symbols_json(symbols)}});
        answer.parts.push_back({std::string(name_of(bound.resource)), bound.limit.si(), std::string(bound.source)});
        answer.explanation.push_back(fmt::format("{:<14} {} = {} GUPS  [{}]", name_of(bound.resource), formula,
                                                 answer.text(bound.limit.si()), bound.source));
        explain_symbols(answer, symbols);
    }
}

// What measured runs beside it say.
void put_beside(Answer& answer, const MeasuredBeside& beside) {
    answer.is_beyond_measured = !beside.beyond.empty();
    if (answer.is_beyond_measured) {
        answer.json["beyond"] = beside.beyond;
        answer.doubts.push_back(fmt::format("beyond what was measured: {}", fmt::join(beside.beyond, ", ")));
    }
    if (beside.sessions == 0) return;
    answer.json["calibrations"] = beside.sessions;
    answer.is_of_runs = true;
    if (beside.sessions == 1) {
        answer.doubts.emplace_back(
            "interval of one calibration: differences between sessions are not in it (calibrate --history)");
    }
}

void put_term(Answer& answer, std::string_view name, Time time, Time whole) {
    answer.json["terms"].push_back({{"name", name}, {"value", time.si()}, {"unit", "s"}});
    if (is_negligible(time.si(), whole.si())) return;
    answer.explanation.push_back(
        fmt::format("  {:<22} {:>10}  {:5.1f} %", name, print(time), 100 * time.si() / whole.si()));
}

}  // namespace

Answer answer_about(const Machine& machine, const std::string& workload, const std::string& title) {
    Answer answer;
    answer.machine = machine.id;
    answer.title = fmt::format("{} on {}", title, machine.id);
    answer.json["machine"] = machine.id;
    answer.json["composed"] = !machine.network_name.empty();
    answer.json["workload"] = workload;
    return answer;
}

void tell_nodes(Answer& answer, const Machine& machine, std::int64_t nodes) {
    answer.json["nodes"] = nodes;
    if (has_room(machine, nodes)) return;
    std::vector<std::string> others;
    for (const std::int64_t step : {-1, 1}) {
        constexpr std::int64_t most_steps = 64;
        std::int64_t near = nodes + step;
        while (near > 1 && std::abs(near - nodes) < most_steps && !has_room(machine, near)) near += step;
        if (near < 2 || !has_room(machine, near)) continue;
        others.push_back(fmt::format("{} ({})", near, partition(machine, near).spec()));
    }
    answer.doubts.push_back(fmt::format(
        "predicted for {}, the shape of {} nodes, for which the machine's network has no room{}{}",
        partition(machine, nodes).spec(), nodes, others.empty() ? "" : ": there is for ", fmt::join(others, " and ")));
}

void report(Answer& answer, const Prediction& prediction) {
    put_result(answer, {"rate", "GUPS", 1e-9, true}, "update_rate", "1/s", prediction.rate.si(), prediction);
    answer.explanation = {fmt::format("estimate       {}", prediction.estimate),
                          fmt::format("valid when     {}", prediction.assumptions)};
    put_bounds(answer, prediction);
    put_beside(answer, prediction.beside);
    const Time time = prediction.workers / prediction.rate;
    answer.explanation.push_back(fmt::format("an update takes {} on each of {}:", print(time),
                                             counted(std::llround(prediction.workers), "processor")));
    answer.json["terms"] = nlohmann::ordered_json::array();
    for (const Term& term : prediction.terms) {
        put_term(answer, term.name, term.time, time);
        answer.terms.push_back({std::string(term.name), term.time});
    }
}

void report(Answer& answer, const TimePrediction& prediction) {
    put_result(answer, {"time", "µs", 1e6, false}, "time", "s", prediction.time.si(), prediction);
    answer.json["bounds"] = nlohmann::ordered_json::array();
    answer.json["terms"] = nlohmann::ordered_json::array();
    answer.explanation = {
        fmt::format("estimate       {}", prediction.estimate), fmt::format("valid when     {}", prediction.assumptions),
        fmt::format("source         {}", prediction.source), fmt::format("it takes {}:", print(prediction.time))};
    put_beside(answer, prediction.beside);
    for (const NamedTime& term : prediction.terms) {
        put_term(answer, term.name, term.time, prediction.time);
        answer.parts.push_back({term.name, term.time.si(), ""});
        answer.terms.push_back(term);
    }
}

namespace {

// `link`, or of bounds `link and network interface alike`: a change of one of them alone changes little.
std::string binding_parts(const Answer& answer) {
    constexpr double alike = 1e-9;
    const auto binding = value_of(answer, answer.bottleneck);
    if (!answer.figures.bounded || !binding) return answer.bottleneck;
    std::vector<std::string> names = {answer.bottleneck};
    for (const Part& part : answer.parts) {
        const bool is_as_tight = std::abs(part.value - *binding) <= alike * *binding;
        if (part.name != answer.bottleneck && is_as_tight) names.push_back(part.name);
    }
    return fmt::format("{}{}", fmt::join(names, " and "), names.size() > 1 ? " alike" : "");
}

}  // namespace

std::string headline(const Answer& answer) {
    const std::string interval = answer.interval();
    const std::string bottleneck =
        answer.value == 0
            ? ""
            : fmt::format(", {}: {}", answer.figures.bounded ? "held back by" : "most of it", binding_parts(answer));
    return fmt::format("{} {}{}{}", answer.text(answer.value), answer.figures.unit,
                       interval.empty() ? "" : " (" + interval + ")", bottleneck);
}

void report_formulas(Answer& answer, const std::string& title, const std::vector<Formula>& formulas) {
    if (formulas.empty()) return;
    answer.explanation.push_back(title);
    if (!answer.json.contains("formulas")) answer.json["formulas"] = nlohmann::ordered_json::array();
    for (const Formula& formula : formulas) {
        answer.json["formulas"].push_back({{"name", formula.name},
                                           {"value", formula.value},
                                           {"unit", base_unit(formula.dimension)},
                                           {"formula", formula.text},
                                           {"source", formula.source},
                                           {"symbols", symbols_json(formula.symbols)}});
        answer.explanation.push_back(fmt::format("{:<14} {} = {}{}", formula.name, formula.text,
                                                 value_text(formula.value, formula.dimension),
                                                 formula.source.empty() ? "" : fmt::format("  [{}]", formula.source)));
        explain_symbols(answer, formula.symbols);
    }
}

void add_doubts(Document& document, const std::vector<NamedAnswer>& answers) {
    std::vector<std::pair<std::string, std::vector<std::string>>> doubts;  // each with the names of those that have it
    for (const auto& [name, answer] : answers) {
        for (const std::string& doubt : answer->doubts) {
            auto known = std::ranges::find(doubts, doubt, &decltype(doubts)::value_type::first);
            if (known == doubts.end()) known = doubts.insert(known, {doubt, {}});
            known->second.push_back(name);
        }
    }
    for (const auto& [doubt, names] : doubts) {
        document.remarks.push_back(
            names.size() == answers.size() ? doubt : fmt::format("{}: {}", fmt::join(names, ", "), doubt));
    }
}

void add_machine_remarks(Document& document, const Machine& machine) {
    std::vector<std::string> remarks = machine.remarks;
    if (has(machine, "compute.gups.route.probe") && machine.residuals.empty()) {
        remarks.emplace_back(
            "calibrated by an older version, without residuals of measured runs: intervals are those of its parameters "
            "alone; calibrate anew");
    }
    if (!machine.network_name.empty()) {
        remarks.push_back(fmt::format("composed, not validated on hardware: {} {}",
                                      machine.composed ? "messages between nodes are those of" : "the network is",
                                      machine.network_name));
    }
    for (const std::string& remark : remarks) {  // of several machines each once
        if (std::ranges::find(document.remarks, remark) != document.remarks.end()) continue;
        document.json["remarks"].push_back(remark);
        document.remarks.push_back(remark);
    }
}

void require_alone(const Answer& answer) {
    if (!answer.beside) return;
    throw InputError("--beside: only predict and table show another machine's time beside this one's: leave it out");
}

std::vector<std::string> assumption_lines(const Machine& machine) {
    std::vector<std::string> lines;
    for (const Unlimited& server : unlimited_servers(machine)) {
        lines.push_back(fmt::format("assumed no limit: {} ({})", server.server,
                                    server.is_set ? fmt::format("no path passes '{}'", server.path)
                                                  : fmt::format("{} is not set", server.path)));
    }
    return lines;
}

}  // namespace narrows
