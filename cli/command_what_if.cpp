#include <fmt/format.h>

#include "cli/answer_plot.hpp"
#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/size_table.hpp"
#include "cli/verdict.hpp"
#include "cli/workload.hpp"

namespace narrows {
namespace {

Table comparison(const Answer& before, const Answer& after) {
    const std::string& unit = before.figures.unit;
    Table table{"", {{"", {"result"}}, {"before", {"before " + unit}}, {"after", {"after " + unit}}, "ratio"}, {}};
    const auto row = [&](const std::string& name, std::optional<double> a, std::optional<double> b) {
        table.rows.push_back(
            {name, a ? before.cell(*a) : "-", b ? after.cell(*b) : "-", a && b ? ratio_cell(*a, *b) : "-"});
    };
    row("predicted", before.value, after.value);
    for (const std::string& name : part_names({{0, before}, {1, after}})) {
        row(name + (before.figures.bounded ? " bound" : ""), value_of(before, name), value_of(after, name));
    }
    return table;
}

// Of the machine without the changes, with which it has a prediction.
Answer answer_before(const Workload& workload, const OptionWords& words, const Machine& machine,
                     const ReportProgress& progress) {
    try {
        return workload.answer(words, machine, chosen_nodes(words, machine), progress);
    } catch (const InputError&) {
        throw InputError(fmt::format(
            "--set {}: without it there is no prediction to compare with: ask 'narrows predict' with the same words",
            fmt::join(words.changes, ", ")));
    }
}

int what_if(const Workload& workload, const OptionWords& words, Output& output) {
    if (words.changes.empty())
        throw InputError("what-if needs a change: --set PATH=VALUE, such as --set node.clock=2x");
    const Machine machine = unchanged_machine(words);
    const Machine changed = changed_machine(machine, words);
    Progress progress(output.progress, "what-if");
    const ReportProgress told = [&progress](double fraction) { progress.at_least(fraction); };
    const Answer after = workload.answer(words, changed, chosen_nodes(words, changed), part_of(told, 0, 0.5));
    require_alone(after);
    const Answer before = answer_before(workload, words, machine, part_of(told, 0.5, 1));
    const auto times = ratio(before.value, after.value);
    Document document{json_of("what-if")};
    document.json["changes"] = words.changes;
    document.json["before"] = before.json;
    document.json["after"] = after.json;
    document.json["ratio"] = json_or_null(times);
    document.notes.push_back(fmt::format(
        "{} on {}, {}, in {}", before.subject, machine.id,
        before.size == after.size ? before.size : fmt::format("{} before, {} after", before.size, after.size),
        before.figures.unit));
    document.tables.push_back(comparison(before, after));
    document.remarks.push_back(verdict(before, after));
    if (before.low && before.high && after.low && after.high) {
        document.remarks.push_back(
            fmt::format("95 % intervals: {} before, {} after", before.interval(), after.interval()));
    }
    add_doubts(document, {{"before", &before}, {"after", &after}});
    add_machine_remarks(document, machine);
    const std::string changes =
        words.changes.size() == 1 ? words.changes.front() : fmt::format("{} changes", words.changes.size());
    document.plot = plot_of_answers(before, fmt::format("{}, {}", before.size, changes), {"before", "after"});
    add_to_plot(*document.plot, 0, before);
    add_to_plot(*document.plot, 1, after);
    return emit(document, output);
}

}  // namespace

Command what_if_command() {
    return {"what-if",
            "change parameters and see how the prediction and its bottleneck move",
            {"what-if fft-slabs -m cluster-400g -n 64 --set network.link.bandwidth=2x"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                return [asked](Output& output) { return what_if(asked->workload(), asked->words(), output); };
            }};
}

}  // namespace narrows
