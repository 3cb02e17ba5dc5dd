#include <fmt/format.h>

#include "cli/answer_plot.hpp"
#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "cli/progress.hpp"
#include "cli/workload.hpp"

namespace narrows {
namespace {

// The bounds of a rate, or the terms of a time with their shares; the narrowest, or largest, is marked.
Table parts_table(const Answer& answer) {
    const Figures& figures = answer.figures;
    Table table;
    table.header = figures.bounded ? std::vector<TableColumn>{"resource", figures.unit + " at most", "source"}
                                   : std::vector<TableColumn>{"term", figures.unit, "share"};
    for (const Part& part : answer.parts) {
        if (!figures.bounded && is_negligible(part.value, answer.value)) continue;
        const std::string name = part.name + (part.name == answer.bottleneck ? " *" : "");
        const std::string last =
            figures.bounded ? part.source : fmt::format("{:.1f} %", 100 * part.value / answer.value);
        table.rows.push_back({name, answer.text(part.value), last});
    }
    return table;
}

// The prediction, then its bounds or terms.
Table tidy_table(const Answer& answer) {
    const Figures& figures = answer.figures;
    const std::string& unit = figures.unit;
    Table table{"", {"result", "kind", unit, "low " + unit, "high " + unit, "bottleneck", "source"}, {}};
    const auto end = [&](const std::optional<double>& si) { return si ? answer.cell(*si) : TableCell("-"); };
    table.rows.push_back(
        {"predicted", figures.quantity, answer.cell(answer.value), end(answer.low), end(answer.high), "-", "-"});
    for (const Part& part : answer.parts) {
        const TableCell binds("", {part.name == answer.bottleneck});
        table.rows.push_back({part.name, figures.bounded ? "bound" : "term", answer.cell(part.value), "-", "-", binds,
                              part.source.empty() ? "-" : part.source});
    }
    return table;
}

// CSV and pictures have no place for an explanation.
bool has_place_for_texts(const Output& output) {
    const std::string& form = output.file.empty() ? output.format : output.file;
    return !form.ends_with("csv") && !form.ends_with(".svg") && !form.ends_with(".png");
}

int predict(const Workload& workload, const OptionWords& words, bool explain, Output& output) {
    const Machine machine = chosen_machine(words);
    Progress progress(output.progress, "predict");
    const Answer found = workload.answer(words, machine, chosen_nodes(words, machine),
                                         [&progress](double fraction) { progress.at(fraction); });
    Document document{json_of("predict")};
    document.json.update(found.json);
    document.notes.push_back(fmt::format("{}, {}: {}", found.machine, found.subject, found.setting));
    document.notes.push_back(headline(found));
    for (const auto* lines : {&found.notes, &found.doubts})
        document.notes.insert(document.notes.end(), lines->begin(), lines->end());
    if (found.value != 0) document.tables.push_back(parts_table(found));
    document.csv = tidy_table(found);
    if (explain) {
        document.remarks = found.explanation;
        const auto assumed = assumption_lines(machine);
        document.remarks.insert(document.remarks.end(), assumed.begin(), assumed.end());
    }
    if (explain && !has_place_for_texts(output)) {
        output.remarks << "narrows: --explain: CSV and pictures have no place for it, tables, Markdown and JSON have\n";
    }
    add_machine_remarks(document, machine);
    document.plot = plot_of_answers(found, found.size, {""});
    add_to_plot(*document.plot, 0, found);
    return emit(document, output);
}

}  // namespace

Command predict_command() {
    return {"predict",
            "predict one run: value, interval, every bound or term, the bottleneck",
            {"predict fft-slabs -m cluster-400g -n 64"},
            [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                const auto explain = std::make_shared<bool>(false);
                app.add_flag("--explain", *explain,
                             "print formulas, the meaning and value of each symbol, terms, sources and validity");
                return [asked, explain](Output& output) {
                    return predict(asked->workload(), asked->words(), *explain, output);
                };
            }};
}

}  // namespace narrows
