#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "cli/commands.hpp"
#include "cli/minimised_settings.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/target.hpp"
#include "cli/variable.hpp"
#include "model/schema.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

// That of a parameter that is given values; a section or a curve has factors.
const SchemaRow* row_of(const Variable& variable) {
    return variable.is_option() || variable.is_factor() ? nullptr : schema_row(variable.name());
}

// The range of --vary, else what a machine and a workload might have, from what they have now.
Surroundings surroundings_of(Variable& variable, const TypedAxis& axis, const OptionWords& words,
                             const Machine& machine, const std::optional<Answer>& now) {
    const std::string& asked = axis.asked;
    if (!axis.values.empty()) {
        const Range ends = parse_range(variable, axis);
        return {ends.from, std::min(ends.from, ends.to), std::max(ends.from, ends.to), ends.whole};
    }
    if (variable.is_text()) {
        throw InputError(fmt::format("{}: it is a text, which has no values between two", asked));
    }
    const auto value = variable.now(words, now.value());
    if (!value) throw InputError(fmt::format("{}: say where to look, as {}=a..b", asked, variable.name()));
    if (*value <= 0)
        throw InputError(fmt::format("{}: it is 0: say where to look, as {}=a..b", asked, variable.name()));
    const bool of_nodes = variable.name() == "nodes";
    const double far = variable.is_option() ? std::exp2(of_nodes ? 10 : 20) : std::exp2(30);
    Surroundings search{*value, *value / far, *value * far, variable.is_whole()};
    if (const SchemaRow* row = row_of(variable)) {
        search.most = std::min(search.most, most_of(*row));
        search.least = std::max(search.least, row->at_least.value_or(0));
    }
    if (search.whole) search.least = of_nodes ? 1 : std::max(1.0, std::ceil(search.least));
    if (of_nodes && has(machine, "network.cut")) {
        search.most = *value;  // its cuts are known for all of them alone
    } else if (of_nodes && find(machine, "network.topology") != nullptr) {
        const Topology whole = parse_topology(text_at(machine, "network.topology"));
        search.most = std::clamp(static_cast<double>(whole.nodes()), *value, search.most);
    }
    return search;
}

// Where one node misses the target the fewest that reach it are wanted, not the last ones on the way from what there
// are.
void begin_at_fewest(const VariedPrediction& prediction, const Target& target, Surroundings& around) {
    Surroundings from_least = around;
    from_least.now = around.least;
    begin_where_predicted(prediction, from_least);
    try {
        if (!target.is_reached_by(prediction.at(from_least.now).value)) around.now = from_least.now;
    } catch (const InputError&) {
        return;  // none of the least is predicted
    }
}

// A search goes from what is now to the most, then to the least.
OutcomeAt told(const Surroundings& around, const ReportProgress& progress, const OutcomeAt& outcome) {
    return [=](double value) {
        const bool upwards = value >= around.now;
        const double share = share_of_way(around.now, upwards ? around.most : around.least, value);
        progress(upwards ? share / 2 : (1 + share) / 2);
        return outcome(value);
    };
}

// What was looked at is not predicted again when no value reaches the target: of nodes that may take minutes.
OutcomeAt remembered(const VariedPrediction& prediction) {
    return [&prediction, known = std::make_shared<std::map<double, Outcome>>()](double value) {
        const auto at = known->find(value);
        return at != known->end() ? at->second : known->emplace(value, prediction.at(value)).first->second;
    };
}

const char* held_by(const Answer& answer) {
    return answer.figures.bounded ? "held back by" : "most of it";
}

// Where not every whole number up to there was looked at.
void tell_samples_up_to(Document& document, const Variable& variable, const Surroundings& around, double end) {
    tell_samples(document, variable.name(), {around.now, end, around.whole, around.each_up_to});
}

// A row for CSV: the value that was found, or the best one where none was.
void put_row(Document& document, const Variable& variable, std::optional<double> value, const SolutionEnds& ends,
             const Answer& then, const char* reached) {
    document.json["reached"] = reached;
    const auto cell = [](const std::optional<double>& number) { return TableCell("", {json_or_null(number)}); };
    document.csv =
        Table{"",
              {"variable", "value", "low", "high", "unit", "result", "unit of the result", "bottleneck", "reached"},
              {{variable.name(), cell(value), cell(ends.low), cell(ends.high), variable.unit(), cell(then.value),
                then.json["result"]["unit"].get<std::string>(), then.bottleneck, reached}}};
}

// That each value reaches the target, or that none does: whether it is reached.
bool tell_all_or_none(Document& document, const VariedPrediction& prediction, const OutcomeAt& outcome,
                      const Target& target, const Surroundings& around, bool in_range) {
    const Variable& variable = prediction.variable();
    const std::string& name = variable.name();
    const auto [best, follows] = out_of_reach(outcome, around, target);
    const Answer answer = prediction.answer_at(best);
    const std::string value = fmt::format("{} {}", answer.text(answer.value), answer.figures.unit);
    const std::string same = fmt::format("the prediction does not depend on {}: {} whatever it is", name, value);
    document.json["depends"] = follows;
    for (const double end : {around.most, around.least}) {
        if (end != around.now) tell_samples_up_to(document, variable, around, end);
    }
    // What nobody gave a range for is looked at as far as a machine can go, an option only so far from what it is.
    const bool is_told = in_range || variable.is_option();
    bool is_partly_predicted = false;
    for (const double end : {around.most, around.least}) {
        const auto refused = is_told ? refusal_at(variable, end, outcome) : std::nullopt;
        if (!refused) continue;
        document.remarks.push_back(*refused);
        is_partly_predicted = true;
    }
    const std::string range =
        is_told ? fmt::format(" from {} to {}{}", variable.shown(around.least), variable.shown(around.most),
                              is_partly_predicted ? " that has a prediction" : "")
                : "";
    if (target.is_reached_by(outcome(around.now).value)) {
        document.notes.push_back(follows ? fmt::format("every {}{} reaches it", name, range) : same);
        put_row(document, variable, std::nullopt, {}, answer, "by every value");
        return true;
    }
    document.json["forbidden_by"] = {{"resource", answer.bottleneck}, {"at_most", answer.value}};
    const std::string place = !is_told ? "" : fmt::format(", with {}", variable.shown(best));
    const std::string none =
        fmt::format("no {}{} reaches it: {} at {}{}", name, range, value, target.is_time ? "least" : "most", place);
    document.notes.push_back(fmt::format("{}, {}", follows ? none : same, held_back_text(answer)));
    put_row(document, variable, is_told && follows ? std::optional(best) : std::nullopt, {}, answer, "no");
    return false;
}

void tell_solution(Document& document, const VariedPrediction& prediction, const Surroundings& around,
                   const Target& target, double value, std::optional<double> usual, const ReportProgress& progress) {
    const Variable& variable = prediction.variable();
    const Answer then = prediction.answer_at(value);
    const auto [low, high] = solution_ends(
        told(around, progress, [&](double at) { return prediction.with_interval_at(at); }), around, target, value);
    const bool has_factor = usual.value_or(0) > 0;
    const double factor = has_factor ? value / usual.value_or(1) : 0;
    document.json["solution"] = {
        {"path", variable.name()},  {"value", value},
        {"unit", variable.unit()},  {"factor", json_or_null(has_factor ? std::optional(factor) : std::nullopt)},
        {"low", json_or_null(low)}, {"high", json_or_null(high)}};
    document.json["after"] = then.json;
    put_row(document, variable, value, {low, high}, then, "yes");
    const std::string interval = low && high ? fmt::format(", {} to {} by the prediction's interval",
                                                           variable.shown(*low), variable.shown(*high))
                                             : "";
    const std::string times = has_factor ? fmt::format(" ({:.4g} times what it is)", factor) : "";
    document.notes.push_back(fmt::format("{} = {}{}{}: {} {}, {}: {}", variable.name(), variable.shown(value), times,
                                         interval, then.text(then.value), then.figures.unit, held_by(then),
                                         then.bottleneck));
}

// Of whole numbers that are no order of merit, as of nodes that form a torus or a line, those next to the solution that
// do not reach the target though they should, and that reach it though they should not.
void tell_gaps(Document& document, const VariedPrediction& prediction, const Surroundings& around, const Target& target,
               double solution) {
    if (!around.whole) return;
    const auto reaches = [&](double value) -> std::optional<bool> {
        try {
            return target.is_reached_by(prediction.at(value).value);
        } catch (const InputError&) {
            return std::nullopt;  // as the search passes over it
        }
    };
    const double inwards = reaches(around.now).value_or(false) == (solution > around.now) ? -1 : 1;
    for (const bool inside : {true, false}) {
        std::vector<std::string> gaps;
        constexpr int neighbours = 16;
        for (int i = 1; i <= neighbours; ++i) {
            const double value = solution + (inside ? i : -i) * inwards;
            if (value < around.least || value > around.most) break;
            if (reaches(value) == !inside) gaps.push_back(prediction.variable().shown(value));
        }
        if (gaps.empty()) continue;
        const bool upwards = inside == (inwards > 0);
        document.remarks.push_back(fmt::format("{} at {} = {}, of the {}{}{}", inside ? "not reached" : "reached too",
                                               prediction.variable().name(), fmt::join(gaps, ", "),
                                               upwards ? "next " : "", neighbours, upwards ? "" : " before"));
    }
}

// For each value of one variable, that of the other which reaches the target.
bool tell_trade_off(Document& document, const VariedPrediction& prediction, const Surroundings& around,
                    const Target& target, Variable& other, const Values& values, const ReportProgress& progress) {
    const Variable& variable = prediction.variable();
    Table table{"", {other.name(), variable.name(), "bottleneck"}, {}};
    document.json["units"] = {{other.name(), other.unit()}, {variable.name(), variable.unit()}};
    document.json["trade_off"] = nlohmann::ordered_json::array();
    bool any = false;
    std::string refused;
    for (std::int64_t i = 0; i < values.size(); ++i) {
        const double given = values.number(i);
        const auto of_all = [&](double share) {
            progress((static_cast<double>(i) + share) / static_cast<double>(values.size()));
        };
        std::optional<double> found;
        std::optional<std::string> bottleneck;
        bool all = false;
        const char* reached = "no prediction";
        try {
            const VariedPrediction at = prediction.with(other, given);
            found = solved_value(told(around, of_all, remembered(at)), around, target);
            if (found) bottleneck = at.at(*found).bottleneck;
            all = !found && target.is_reached_by(at.at(around.now).value);
            reached = found ? "yes" : all ? "by every value" : "no";
            any = any || found || all;
        } catch (const InputError& error) {
            refused = no_prediction_at(other, given, error);
        }
        document.json["trade_off"].push_back({{other.name(), given},
                                              {variable.name(), json_or_null(found)},
                                              {"bottleneck", json_or_null(bottleneck)},
                                              {"reached", reached}});
        table.rows.push_back(
            {TableCell(other.shown(given), {given}),
             found ? TableCell(variable.shown(*found), {*found}) : TableCell(all ? "every value" : "-"),
             bottleneck.value_or("-")});
    }
    document.tables.push_back(std::move(table));
    if (!any) document.remarks.push_back(fmt::format("no {} reaches it at any of these", variable.name()));
    if (!refused.empty()) document.remarks.push_back(refused);
    return any;
}

Values values_beside(Variable& variable, const TypedAxis& axis, const OptionWords& words, const Answer& now) {
    const std::string& asked = axis.asked;
    if (!axis.values.empty()) {
        Values values = parse_values(variable, axis);
        if (values.texts.empty()) return values;
        throw InputError(fmt::format("{}: '{}' is no number", asked, values.texts.front()));
    }
    const auto value = variable.now(words, now);
    if (!value || *value <= 0)
        throw InputError(fmt::format("{}: give its values, such as {}=1..64*2", asked, variable.name()));
    constexpr double around = 16;
    double least = variable.is_whole() ? std::max(1.0, std::ceil(*value / around)) : *value / around;
    double most = *value * around;
    if (const SchemaRow* row = row_of(variable)) {
        least = std::max(least, row->at_least.value_or(0));
        most = std::min(most, most_of(*row));
    }
    return {{steps_by_ratio(least, most, 2)}, {}};
}

Document solved(const AskedWorkload& asked, const SolveWords& words, bool& found, Output& output) {
    const Workload& workload = asked.workload();
    const Machine machine = chosen_machine(asked.words());
    Progress lines(output.progress, "solve");
    const ReportProgress progress = [&lines](double fraction) {
        fraction == 0 ? lines.at(0) : lines.at_least(fraction);  // 0 begins another search
    };
    const Target target = target_of(words.target, workload);
    const TypedAxis axis = typed_vary(workload, words.vary.back());
    std::optional<Answer> own;
    try {
        own = workload.answer(asked.words(), machine, chosen_nodes(asked.words(), machine), progress);
        progress(0);  // the search begins
    } catch (const InputError&) {
        if (axis.values.empty()) throw;  // else of the range
    }
    std::optional<TypedAxis> beside;
    if (words.vary.size() > 1) {
        beside = typed_vary(workload, words.vary.front());
        if (beside->name == axis.name) throw InputError(fmt::format("{}: give two variables, or one", axis.asked));
    }
    Machine varied = with_varied(machine, workload, axis);
    if (beside) varied = with_varied(std::move(varied), workload, *beside);
    VariedPrediction prediction(workload, asked.words(), varied, Variable(workload, asked.words(), varied, axis));
    Variable& variable = prediction.variable();
    Surroundings around = surroundings_of(variable, axis, asked.words(), machine, own);
    if (!own || !axis.values.empty()) begin_where_predicted(prediction, around);
    if (axis.values.empty() && variable.name() == "nodes" && !has(machine, "network.cut")) {
        begin_at_fewest(prediction, target, around);
    }
    const Answer now = own ? *own : prediction.answer_at(around.now);
    require_alone(now);
    if (around.whole && !is_looked_at_one_by_one({around.least, around.most, true, around.each_up_to})) {
        around.each_up_to = predicted_in_time(prediction, {around.least, around.most});
    }
    Document document{json_of("solve")};
    document.json["machine"] = now.machine;
    document.json["workload"] = now.json["workload"];
    document.json["target"] = target.value;
    document.json["before"] = now.json;
    document.notes.push_back(fmt::format("{} on {}, {}: {} {} now, {} wanted", now.subject, now.machine, now.size,
                                         now.text(now.value), now.figures.unit, words.target));
    const OutcomeAt outcome = told(around, progress, remembered(prediction));
    if (beside) {
        Variable other(workload, asked.words(), varied, *beside);
        const Values values = values_beside(other, *beside, asked.words(), now);
        around.each_up_to /= static_cast<double>(values.size());
        found = tell_trade_off(document, prediction, around, target, other, values, progress);
        for (const double end : {around.most, around.least}) tell_samples_up_to(document, variable, around, end);
    } else if (const auto value = solved_value(outcome, around, target)) {
        found = true;
        const bool is_set = variable.is_option() || has(machine, variable.name());
        std::optional<double> usual;
        if (variable.is_factor()) {
            usual = 1;
        } else if (is_set) {
            usual = variable.now(asked.words(), now);
        }
        tell_solution(document, prediction, around, target, *value, usual, progress);
        tell_gaps(document, prediction, around, target, *value);
        if (*value < around.now) tell_samples_up_to(document, variable, around, around.most);
        tell_samples_up_to(document, variable, around, *value);
    } else {
        found = tell_all_or_none(document, prediction, outcome, target, around, !axis.values.empty());
    }
    add_doubts(document, {{"", &now}});
    add_machine_remarks(document, machine);
    return document;
}

int solve(const AskedWorkload& asked, const SolveWords& words, Output& output) {
    bool found = false;
    const bool minimises = !words.minimise.empty();
    if (!minimises && words.vary.size() > 2) throw InputError("--vary: give one or two, or more with --minimise");
    const Document document =
        minimises ? minimised_settings(asked, words, found, output) : solved(asked, words, found, output);
    return emit(document, output, found);
}

}  // namespace

Command solve_command() {
    constexpr const char* trade_off =
        "solve gups -m bluegene-l -n 65536 --target '16 GUPS' --vary node.clock=1x..4x*2 --vary network.link.bandwidth";
    constexpr const char* cheapest =
        "solve gups -m bluegene-l --set price.node='3000 USD' --set price.link='150 USD' --target '5 GUPS' --minimise "
        "price --vary nodes=1024..65536 --vary messaging=mpi,raw";
    return {"solve",
            "the value of a parameter, an option or the node count that reaches a target, or what forbids it; the "
            "cheapest setting",
            {"solve fft-pencils -m cluster-400g -n 64 --target '35 ms' --vary compute.flops",
             "solve gups -m bluegene-l --target '5 GUPS' --vary nodes=1024..65536", trade_off, cheapest},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                const auto words = std::make_shared<SolveWords>();
                app.add_option("--target", words->target, "the value to reach: a rate such as '100 GUPS', or a time")
                    ->required();
                app.add_option("--vary", words->vary,
                               "what may change: a PATH of 'narrows show --paths', an option such as bytes, or nodes; "
                               "NAME=a..b says between what. Of two, the second is found for values of the first. With "
                               "--minimise each has a list or range of values, of networks too")
                    ->option_text("NAME[=a..b] ...")
                    ->required();
                app.add_option("--minimise", words->minimise,
                               "price or power: the setting of these values that reaches the target for least, by the "
                               "machine's price.* or power.*, and all that no other beats in both");
                return [asked, words](Output& output) { return solve(*asked, *words, output); };
            }};
}

}  // namespace narrows
