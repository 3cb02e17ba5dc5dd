#include <fmt/format.h>

#include <algorithm>

#include "cli/answer_plot.hpp"
#include "cli/commands.hpp"
#include "cli/prediction_report.hpp"
#include "cli/workload.hpp"
#include "data/measured_file.hpp"

namespace narrows {
namespace {

using Measured = std::map<std::int64_t, Rate>;

/// A row's size and the prediction for it.
struct Row {
    std::int64_t size;
    Answer answer;
};

bool is_list(const std::string& word) {
    return word.find(',') != std::string::npos || word.find("..") != std::string::npos;
}

// The option that is a list, else the workload's first. Two lists would make a table of two dimensions.
const Axis& chosen_axis(const Workload& workload, WorkloadWords words) {
    const Axis* chosen = nullptr;
    for (const Axis& axis : workload.axes) {
        if (!is_list(axis.word(words))) continue;
        if (chosen != nullptr) {
            throw InputError(fmt::format("{} and {} are both lists: a table has one size a row, give one of them",
                                         chosen->option, axis.option));
        }
        chosen = &axis;
    }
    return chosen != nullptr ? *chosen : workload.axes.front();
}

std::vector<Row> predicted_rows(const Workload& workload, const Axis& axis, const WorkloadWords& words,
                                const Machine& machine) {
    WorkloadWords of_row = words;
    const std::string given = axis.word(of_row);
    const auto sizes = given.empty() ? workload.sizes(words, machine) : axis.values(given, axis.option);
    std::vector<Row> rows;
    for (const std::int64_t size : sizes) {
        axis.word(of_row) = std::to_string(size);
        rows.push_back({size, workload.answer(of_row, machine, chosen_nodes(of_row, machine))});
    }
    return rows;
}

// The bounds or terms of all rows, in the order in which they first appear.
std::vector<std::string> part_names(const std::vector<Row>& rows) {
    std::vector<std::string> names;
    for (const Row& row : rows) {
        for (const Part& part : row.answer.parts) {
            if (std::find(names.begin(), names.end(), part.name) == names.end()) names.push_back(part.name);
        }
    }
    return names;
}

TableCell part_cell(const Answer& answer, const std::string& name) {
    for (const Part& part : answer.parts) {
        if (part.name == name) return answer.cell(part.value);
    }
    return "-";
}

std::vector<TableColumn> header(const Axis& axis, const Answer& first, const std::vector<std::string>& parts,
                                bool measured) {
    const std::string& unit = first.figures.unit;
    std::vector<TableColumn> columns = {axis.header};
    for (const auto& [column, cell] : first.columns) columns.push_back(column);
    for (const std::string& part : parts) columns.emplace_back(part, std::vector{fmt::format("{} {}", part, unit)});
    columns.emplace_back(unit, std::vector{"predicted " + unit});
    columns.emplace_back("95 % interval", std::vector{"low " + unit, "high " + unit});
    columns.emplace_back("bottleneck");
    if (!measured) return columns;
    columns.emplace_back("measured", std::vector{"measured " + unit});
    columns.emplace_back("error", std::vector<std::string>{"relative error"});
    return columns;
}

Table bottleneck_table(const Axis& axis, const std::vector<Row>& rows, const Measured& measured) {
    const std::vector<std::string> parts = part_names(rows);
    Table table{"", header(axis, rows.front().answer, parts, !measured.empty()), {}};
    for (const auto& [size, answer] : rows) {
        std::vector<TableCell> cells = {count_cell(size)};
        for (const auto& [column, cell] : answer.columns) cells.push_back(cell);
        for (const std::string& name : parts) cells.push_back(part_cell(answer, name));
        cells.insert(cells.end(), {answer.cell(answer.value), answer.interval_cell(), answer.bottleneck});
        if (!measured.empty()) {
            const auto found = measured.find(size);
            const bool known = found != measured.end();
            cells.push_back(known ? answer.cell(found->second.si()) : "-");
            cells.push_back(known ? error_cell(answer.value / found->second.si() - 1) : "-");
        }
        table.rows.push_back(cells);
    }
    return table;
}

Plot table_plot(const Axis& axis, const std::vector<Row>& rows, const Measured& measured) {
    Plot plot = plot_of_answers(rows.front().answer, axis.unit);
    plot.x_is_bytes = axis.unit == "bytes";
    if (plot.x_is_bytes) plot.x_label = "message size";
    for (const auto& [size, answer] : rows) add_to_plot(plot, static_cast<double>(size), answer);
    if (measured.empty()) return plot;
    Series points{"measured", Look::points};
    for (const auto& [nodes, rate] : measured) {
        points.x.push_back(static_cast<double>(nodes));
        points.y.push_back(rate.si() * rows.front().answer.figures.scale);
    }
    plot.series.push_back(std::move(points));
    return plot;
}

// The size at which the bottleneck changes, in words.
std::vector<std::string> changes(const Axis& axis, const std::vector<Row>& rows) {
    const char* role = rows.front().answer.figures.bounded ? "the bottleneck" : "the largest term";
    std::vector<std::string> lines;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string& before = rows[i - 1].answer.bottleneck;
        const std::string& after = rows[i].answer.bottleneck;
        if (before == after) continue;
        lines.push_back(fmt::format("from {} {} on {} is {}, not {}", rows[i].size, axis.unit, after, role, before));
    }
    if (lines.empty()) {
        lines.push_back(fmt::format("{} is {} at every size", rows.front().answer.bottleneck, role));
    }
    return lines;
}

int print_table(const Workload& workload, const WorkloadWords& words, const std::string& measured_file,
                Output& output) {
    const Axis& axis = chosen_axis(workload, words);
    const Machine machine = chosen_machine(words);
    const std::vector<Row> rows = predicted_rows(workload, axis, words, machine);
    const Measured measured = measured_file.empty() ? Measured() : read_measured(measured_file);
    const Answer& first = rows.front().answer;
    Document document;
    document.json = json_of("table");
    document.json["rows"] = nlohmann::ordered_json::array();
    for (const auto& [size, answer] : rows) {
        document.json["rows"].push_back(answer.json);
        const auto found = measured.find(size);
        if (found == measured.end()) continue;
        document.json["rows"].back()["measured"] = {{"value", found->second.si()}, {"unit", "1/s"}};
    }
    document.notes.push_back(fmt::format("{} on {}, in {}", first.subject, machine.id, first.figures.unit));
    document.tables.push_back(bottleneck_table(axis, rows, measured));
    document.remarks = changes(axis, rows);
    add_machine_remarks(document, machine);
    document.plot = table_plot(axis, rows, measured);
    emit(document, output);
    return 0;
}

}  // namespace

Command table_command() {
    return {"table", "the bottleneck table: one row per size", {}, [](CLI::App& app, const Arguments& arguments) {
                const auto asked = std::make_shared<AskedWorkload>(app, arguments);
                const auto measured = std::make_shared<std::string>();
                if (asked->is_rate()) {
                    app.add_option("--measured", *measured,
                                   "measurements to show beside the predictions: lines N,GUPS or an hpccoutf.txt");
                }
                return [asked, measured](Output& output) {
                    return print_table(asked->workload(), asked->words(), *measured, output);
                };
            }};
}

}  // namespace narrows
