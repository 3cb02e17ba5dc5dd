#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "cli/commands.hpp"
#include "cli/parameter_cells.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/variable.hpp"
#include "cli/verdict.hpp"
#include "cli/workload.hpp"
#include "model/comparison.hpp"
#include "model/unit.hpp"

namespace narrows {
namespace {

using Json = nlohmann::ordered_json;

struct CompareWords {
    std::vector<std::string> machines;
    std::string fail_over;
};

/// One of the things that are compared: a machine with options, named by what it does not share with the others.
struct Compared {
    std::string label;
    OptionWords words;
    Machine machine{};
    std::optional<Answer> answer{};
    NumberOf predicted{};  ///< the same for machines that differ in costs

    Estimate estimate() const {
        const bool known = answer->low && answer->high;
        return {answer->value, known ? std::optional(Interval{*answer->low, *answer->high}) : std::nullopt};
    }
};

/// A difference that is larger than `--fail-over` allows.
struct Limit {
    std::optional<double> most;
    std::vector<std::string> exceeded{};

    void hold(const std::string& name, const std::optional<double>& change) {
        if (!most || (change && std::abs(*change) <= *most)) return;
        exceeded.push_back(change ? fmt::format("{} by {:+.1f} %", name, 100 * *change) : name);
    }
};

Limit limit_of(const std::string& word) {
    if (word.empty()) return {};
    const Measure share = with_option_context("--fail-over", [&] { return parse_measure(word); });
    if (share.dimension == Dimension::number && share.value >= 0) return {share.value};
    throw InputError(fmt::format("--fail-over {}: give a share of 0 % or more, such as 5%", word));
}

// Each of them with each value of the option.
void spread(std::vector<Compared>& all, const Option& row) {
    const std::string option = row.flags.substr(0, row.flags.find(','));
    const std::string given = all.front().words[row.name()];
    if (given.find(',') == std::string::npos) return;
    std::vector<Compared> made;
    for (const Compared& one : all) {
        for (const std::string& value : items_of(option, given)) {
            made.push_back(one);
            made.back().label += fmt::format("{}{} {}", one.label.empty() ? "" : " ", option, value);
            made.back().words[row.name()] = value;
        }
    }
    constexpr std::size_t most = 1000;
    if (made.size() > most)
        throw InputError(fmt::format("{} things are too many to compare: give shorter lists", made.size()));
    all = std::move(made);
}

std::vector<Compared> compared(const CompareWords& asked, const OptionWords& words) {
    std::vector<Compared> all;
    for (const std::string& machine : asked.machines) {
        all.push_back({asked.machines.size() > 1 ? machine : "", words});
        all.back().words["--machine"] = machine;
    }
    for (const Option& option : words.options()) spread(all, option);
    if (all.size() > 1) return all;
    throw InputError(
        "compare needs two things: name another machine, or give an option of a workload a list, such as --workload "
        "gups --variant naive,routed");
}

std::string shown(const std::optional<Parameter>& parameter) {
    if (!parameter) return "-";
    const std::string interval = interval_cell(*parameter).text;
    return value_cell(*parameter).text + (interval.empty() ? "" : " (" + interval + ")");
}

Json json_of_side(const std::optional<Parameter>& parameter) {
    return parameter ? json_of_parameter(*parameter) : Json();
}

TableCell change_cell(const std::optional<double>& change) {
    constexpr double many = 9;
    if (!change) return "-";
    return *change > many ? TableCell(fmt::format("{:.4g} times", *change + 1), {*change}) : error_cell(*change);
}

// Value and interval for CSV.
TableCell estimate_cell(const Estimate& estimate) {
    if (!estimate.interval) return {"", {estimate.value}};
    return {"", {estimate.value, estimate.interval->low, estimate.interval->high}};
}

TableCell parameter_cell(const std::optional<Parameter>& parameter) {
    if (!parameter) return {"", {}};
    if (!parameter->text.empty()) return {"", {parameter->text}};
    return estimate_cell({parameter->measure.value, parameter->interval});
}

std::string unit_of(const ParameterDifference& one) {
    const Parameter& parameter = one.before ? *one.before : *one.after;
    return parameter.text.empty() ? std::string(base_unit(parameter.measure)) : "-";
}

/// Lays what is compared beside the first of it, in every form.
class Comparison {
  public:
    Comparison(const Compared& first, Limit limit) : first_(first), limit_(std::move(limit)) {
        document_.json["compared"] = Json::array({{{"label", first.label}, {"machine", first.machine.id}}});
        document_.csv = Table{"",
                              {"compared",
                               "kind",
                               "name",
                               "unit",
                               {"before", {"before", "before low", "before high"}},
                               {"after", {"after", "after low", "after high"}},
                               {"change", {"relative change"}},
                               {"share", {"share of the change"}},
                               "differs",
                               {"effect", {"effect alone"}}},
                              {}};
        if (first.answer) begin_predictions(*first.answer);
        if (first.answer) answers_.emplace_back(first.label, &*first.answer);
        add_machine_remarks(document_, first.machine);
    }

    void add(const Compared& other, const ReportProgress& progress) {
        document_.json["compared"].push_back({{"label", other.label}, {"machine", other.machine.id}});
        if (other.answer) add_prediction(other);
        if (other.answer) add_terms(other);
        if (other.answer) answers_.emplace_back(other.label, &*other.answer);
        add_parameters(other, progress);
        add_environment(other);
        add_machine_remarks(document_, other.machine);
    }

    /// Prints all; the exit code.
    int deliver_to(Output& output) {
        if (first_.answer) document_.tables.insert(document_.tables.begin(), predictions_);
        add_doubts(document_, answers_);
        document_.json["fail_over"] = json_or_null(limit_.most);
        document_.json["failed"] = !limit_.exceeded.empty();
        if (limit_.most) tell_limit();
        return emit(document_, output, limit_.exceeded.empty());
    }

  private:
    static std::string asked(const Answer& answer) { return fmt::format("{}: {}", answer.subject, answer.setting); }

    void begin_predictions(const Answer& answer) {
        document_.json["compared"].front()["prediction"] = answer.json;
        predictions_.header = {"compared", answer.figures.unit, "95 % interval", "bottleneck", "change", "differs",
                               "of"};
        predictions_.rows.push_back({first_.label, answer.cell(answer.value), answer.interval_cell(), answer.bottleneck,
                                     "-", "-", asked(answer)});
    }

    void add_prediction(const Compared& other) {
        const Answer& before = *first_.answer;
        const Answer& after = *other.answer;
        const auto change = relative_change(before.value, after.value);
        const std::string standing(name_of(standing_of(first_.estimate(), other.estimate())));
        Json& json = document_.json["compared"].back();
        json["prediction"] = after.json;
        json["change"] = json_or_null(change);
        json["differs"] = standing;
        predictions_.rows.push_back({other.label, after.cell(after.value), after.interval_cell(), after.bottleneck,
                                     change_cell(change), standing, asked(after)});
        document_.csv->rows.push_back({other.label, "prediction", after.figures.quantity,
                                       after.json["result"]["unit"].get<std::string>(),
                                       estimate_cell(first_.estimate()), estimate_cell(other.estimate()),
                                       change_cell(change), "-", standing, "-"});
        document_.csv->rows.push_back(
            {other.label, "bottleneck", "-", "-", before.bottleneck, after.bottleneck, "-", "-", "-", "-"});
        document_.notes.push_back(fmt::format("{}: {}", against(other), verdict(before, after)));
        limit_.hold(other.label, change);
    }

    void add_terms(const Compared& other) {
        const char* const of =
            other.answer->figures.bounded ? "the time that an operation takes of a processor" : "the time";
        Table table{fmt::format("why: terms of {}, {}", of, against(other)),
                    {"term", "before", "after", "change", "share of the change"},
                    {}};
        Json& json = document_.json["compared"].back()["terms"] = Json::array();
        for (const TermChange& term : moved_terms(first_.answer->terms, other.answer->terms)) {
            const TableCell share = term.share ? share_cell(*term.share) : TableCell("-");
            const auto change = relative_change(term.before.si(), term.after.si());
            const std::string sign = term.change() > Time() ? "+" : "-";
            const Time size(std::abs(term.change().si()));
            table.rows.push_back({term.name, print(term.before), print(term.after), sign + print(size), share});
            document_.csv->rows.push_back({other.label, "term", term.name, "s", number_cell(term.before.si()),
                                           number_cell(term.after.si()), change_cell(change), share, "-", "-"});
            json.push_back({{"name", term.name},
                            {"before", term.before.si()},
                            {"after", term.after.si()},
                            {"unit", "s"},
                            {"share", json_or_null(term.share)}});
        }
        if (!table.rows.empty()) document_.tables.push_back(table);
    }

    void add_parameters(const Compared& other, const ReportProgress& progress) {
        Table table{fmt::format("parameters: {}", against(other)),
                    {"parameter", first_.label, other.label, "change", "differs"},
                    {}};
        if (first_.answer) table.header.emplace_back("effect alone");
        std::vector<ParameterDifference> found = differences(first_.machine, other.machine);
        if (first_.answer) weigh(found, first_.machine, first_.predicted, progress);
        Json& json = document_.json["compared"].back()["parameters"] = Json::array();
        for (const ParameterDifference& one : found) {
            const std::string standing(name_of(one.standing));
            const TableCell effect = change_cell(one.effect);
            table.rows.push_back({one.path, shown(one.before), shown(one.after), change_cell(one.change), standing});
            if (first_.answer) table.rows.back().push_back(effect);
            document_.csv->rows.push_back({other.label, "parameter", one.path, unit_of(one), parameter_cell(one.before),
                                           parameter_cell(one.after), change_cell(one.change), "-", standing, effect});
            json.push_back({{"path", one.path},
                            {"differs", standing},
                            {"change", json_or_null(one.change)},
                            {"effect", json_or_null(one.effect)},
                            {"before", json_of_side(one.before)},
                            {"after", json_of_side(one.after)}});
            if (!other.answer && one.standing != Standing::within) limit_.hold(one.path, one.change);
        }
        if (!table.rows.empty()) document_.tables.push_back(table);
        if (first_.answer && !found.empty()) tell_most(other, found);
        if (!other.answer && table.rows.empty()) document_.notes.push_back(against(other) + ": no parameter differs");
        if (first_.machine.residuals != other.machine.residuals) {
            document_.remarks.push_back(
                fmt::format("{}: what runs took beside the models (residuals) differs too", against(other)));
        }
    }

    // The differences that matter most to the prediction; nothing where no effect is known.
    void tell_most(const Compared& other, const std::vector<ParameterDifference>& found) {
        constexpr std::size_t most = 3;
        constexpr double matters = 0.001;
        std::vector<std::string> told;
        for (const ParameterDifference& one : found) {
            if (std::abs(one.effect.value_or(0)) < matters || told.size() == most) break;
            told.push_back(fmt::format("{} {}", one.path, change_cell(one.effect).text));
        }
        const bool known = std::ranges::any_of(found, [](const auto& one) { return one.effect.has_value(); });
        if (!told.empty()) {
            document_.remarks.push_back(fmt::format("{}: what changes the prediction most, each alone: {}",
                                                    against(other), fmt::join(told, ", ")));
        } else if (known) {
            document_.remarks.push_back(fmt::format(
                "{}: of the costs that both have, none alone changes the prediction by 0.1 %", against(other)));
        }
    }

    void add_environment(const Compared& other) {
        Table table{fmt::format("where they were calibrated: {}", against(other)), {"", first_.label, other.label}, {}};
        const std::map<std::string, std::string> before(first_.machine.environment.begin(),
                                                        first_.machine.environment.end());
        const std::map<std::string, std::string> after(other.machine.environment.begin(),
                                                       other.machine.environment.end());
        std::map<std::string, std::string> both = before;
        both.insert(after.begin(), after.end());
        const auto at = [](const auto& values, const std::string& key) {
            const auto found = values.find(key);
            return found == values.end() ? "-" : found->second;
        };
        for (const auto& [key, value] : both) {
            if (at(before, key) != at(after, key)) table.rows.push_back({key, at(before, key), at(after, key)});
        }
        if (!table.rows.empty()) document_.tables.push_back(table);
    }

    void tell_limit() {
        const std::string most = fmt::format("more than {:g} %", 100 * *limit_.most);
        if (limit_.exceeded.empty()) {
            document_.remarks.push_back("nothing differs by " + most);
            return;
        }
        constexpr std::size_t told = 5;
        const std::size_t count = limit_.exceeded.size();
        const auto end = limit_.exceeded.begin() + static_cast<std::ptrdiff_t>(std::min(told, count));
        document_.remarks.push_back(
            fmt::format("failed: {} by {}: {}{}", count == 1 ? "1 differs" : std::to_string(count) + " differ", most,
                        fmt::join(limit_.exceeded.begin(), end, ", "), count > told ? ", ..." : ""));
    }

    std::string against(const Compared& other) const { return fmt::format("{} against {}", other.label, first_.label); }

    const Compared& first_;
    Limit limit_;
    Document document_{json_of("compare")};
    Table predictions_{};
    std::vector<NamedAnswer> answers_;
};

int compare(const NamedWorkloads& named, const CompareWords& asked, Output& output) {
    if (named.workloads().size() > 1) throw InputError("compare takes one --workload: others have other results");
    Limit limit = limit_of(asked.fail_over);
    std::vector<Compared> all = compared(asked, named.words());
    Progress progress(output.progress, "compare");
    const ReportProgress told = [&progress](double fraction) { progress.at_least(fraction); };
    for (Compared& one : all) {
        const auto alike = std::ranges::find_if(all, [&one](const Compared& other) {
            const auto place = [](const OptionWords& of) {
                return std::tie(of["--machine"], of["--network"], of["--hosts"]);
            };
            return place(other.words) == place(one.words);
        });
        one.machine = &*alike == &one ? chosen_machine(one.words) : alike->machine;
    }
    const bool differ = std::ranges::any_of(
        all, [&all](const Compared& one) { return !differences(all.front().machine, one.machine).empty(); });
    const double predicting = differ ? 0.5 : 1;  // the rest is to weigh what differs
    double each = predicting / static_cast<double>(all.size());
    double reached = 0;
    for (Compared& one : all) {
        for (const auto& [name, workload] : named.workloads()) {
            one.words.workload = name;
            const std::int64_t nodes = chosen_nodes(one.words, one.machine);
            one.answer = workload.answer(one.words, one.machine, nodes, part_of(told, reached, reached + each));
            if (&one == all.data()) one.predicted = value_of(workload.outcome(one.words, one.machine, nodes));
        }
        told(reached += each);
    }
    each = (1 - predicting) / static_cast<double>(all.size() - 1);
    Comparison comparison(all.front(), std::move(limit));
    for (std::size_t other = 1; other < all.size(); ++other, reached += each) {
        comparison.add(all[other], part_of(told, reached, reached + each));
    }
    return comparison.deliver_to(output);
}

}  // namespace

Command compare_command() {
    return {"compare",
            "machines, calibrations, codes, networks or placements side by side: what differs, and why",
            {"compare bluegene-l bluegene-p", "compare bluegene-l cluster-400g --workload gups -n 4096",
             "compare bluegene-l --workload gups -n 16384 --variant naive,routed",
             "compare cluster-400g --workload fft-pencils -n 64 --placement consecutive,random:1 --fail-over 50%"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto words = std::make_shared<CompareWords>();
                app.add_option("MACHINE", words->machines,
                               fmt::format("{}; each is compared with the first. A list in an option of the workload "
                                           "makes several things of "
                                           "each: --variant naive,routed",
                                           machine_help))
                    ->required();
                const auto named = std::make_shared<NamedWorkloads>(app, arguments, std::vector<std::string>());
                app.add_option("--fail-over", words->fail_over,
                               "exit 1 if a prediction differs by more than this share, such as 5%; without a workload "
                               "if a parameter does beyond its interval, or only one machine has it")
                    ->type_name("SHARE");
                return [named, words](Output& output) { return compare(*named, *words, output); };
            }};
}

}  // namespace narrows
