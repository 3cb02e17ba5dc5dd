#include <fmt/format.h>

#include <algorithm>

#include "cli/answer_plot.hpp"
#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload.hpp"

namespace narrows {
namespace {

// After over before; a time that was nothing and still is has not changed, and one that was nothing has no ratio.
std::optional<double> ratio(double before, double after) {
    if (before == 0) return after == 0 ? std::optional<double>(1) : std::nullopt;
    return after / before;
}

TableCell ratio_cell(double before, double after) {
    const auto found = ratio(before, after);
    return found ? number_cell(*found) : "-";
}

std::optional<double> value_of(const Answer& answer, const std::string& name) {
    for (const Part& part : answer.parts) {
        if (part.name == name) return part.value;
    }
    return answer.figures.bounded ? std::nullopt : std::optional<double>(0);  // a term that is left out takes no time
}

std::vector<std::string> part_names(const Answer& before, const Answer& after) {
    std::vector<std::string> names;
    for (const Answer* answer : {&before, &after}) {
        for (const Part& part : answer->parts) {
            if (std::find(names.begin(), names.end(), part.name) == names.end()) names.push_back(part.name);
        }
    }
    return names;
}

Table comparison(const Answer& before, const Answer& after) {
    const std::string& unit = before.figures.unit;
    Table table{"", {{"", {"result"}}, {"before", {"before " + unit}}, {"after", {"after " + unit}}, "ratio"}, {}};
    const auto row = [&](const std::string& name, double a, double b) {
        table.rows.push_back({name, before.cell(a), after.cell(b), ratio_cell(a, b)});
    };
    row("predicted", before.value, after.value);
    for (const std::string& name : part_names(before, after)) {
        const auto was = value_of(before, name);
        const auto is = value_of(after, name);
        if (was && is) row(name + (before.figures.bounded ? " bound" : ""), *was, *is);
    }
    return table;
}

// Words for a result and a bottleneck that are as they were.
std::string no_change(const Answer& after) {
    const std::string& unit = after.figures.unit;
    if (after.value == 0) return "no change: it takes no time";
    const double value = value_of(after, after.bottleneck).value_or(after.value);
    return after.figures.bounded
               ? fmt::format("no change: {} still binds at {} {}", after.bottleneck, after.text(value), unit)
               : fmt::format("no change: {} is still the largest term, {} {}", after.bottleneck, after.text(value),
                             unit);
}

// How the result has moved.
std::string change_of(const Answer& before, const Answer& after) {
    const std::string times = ratio_cell(before.value, after.value).text;
    if (times == "1") return "no change";
    if (before.value == 0) return fmt::format("{} {}, not 0", after.text(after.value), after.figures.unit);
    return fmt::format("{} times {}", times, before.figures.bounded ? "as fast" : "the time");
}

// How the result and what holds it back have moved.
std::string verdict(const Answer& before, const Answer& after) {
    const std::string result = change_of(before, after);
    const char* role = before.figures.bounded ? "the bottleneck" : "the largest term";
    if (before.bottleneck != after.bottleneck) {
        return fmt::format("{}; {} moves from {} to {}", result, role, before.bottleneck, after.bottleneck);
    }
    if (result == "no change") return no_change(after);
    return fmt::format("{}; {} remains {}", result, before.bottleneck, role);
}

int what_if(const Workload& workload, const WorkloadWords& words, Output& output) {
    if (words.changes.empty())
        throw InputError("what-if needs a change: --set PATH=VALUE, such as --set node.clock=2x");
    const Machine machine = chosen_machine(words, false);
    const Machine changed = chosen_machine(words, true);
    const std::int64_t nodes = chosen_nodes(words, machine);
    const Answer before = workload.answer(words, machine, nodes);
    const Answer after = workload.answer(words, changed, nodes);
    const auto times = ratio(before.value, after.value);
    Document document;
    document.json = json_of("what-if");
    document.json["changes"] = words.changes;
    document.json["before"] = before.json;
    document.json["after"] = after.json;
    document.json["ratio"] = times ? nlohmann::ordered_json(*times) : nlohmann::ordered_json(nullptr);
    document.notes.push_back(
        fmt::format("{} on {}, {}, in {}", before.subject, machine.id, before.size, before.figures.unit));
    document.tables.push_back(comparison(before, after));
    document.remarks.push_back(verdict(before, after));
    if (before.low && before.high && after.low && after.high) {
        document.remarks.push_back(
            fmt::format("95 % intervals: {} before, {} after", before.interval(), after.interval()));
    }
    add_machine_remarks(document, machine);
    const std::string changes =
        words.changes.size() == 1 ? words.changes.front() : fmt::format("{} changes", words.changes.size());
    document.plot = plot_of_answers(before, fmt::format("{}, {}", before.size, changes), {"before", "after"});
    add_to_plot(*document.plot, 0, before);
    add_to_plot(*document.plot, 1, after);
    emit(document, output);
    return 0;
}

}  // namespace

Command what_if_command() {
    return {"what-if",
            "change parameters and see how the prediction and its bottleneck move",
            {},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                return [asked](Output& output) { return what_if(asked->workload(), asked->words(), output); };
            }};
}

}  // namespace narrows
