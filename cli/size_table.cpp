#include "cli/size_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/answer_plot.hpp"
#include "cli/value_list.hpp"

namespace narrows {
namespace {

TableCell part_cell(const Answer& answer, const std::string& name) {
    for (const Part& part : answer.parts) {
        if (part.name != name) continue;
        TableCell cell = answer.cell(part.value);
        cell.limits = name == answer.bottleneck;
        return cell;
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
    columns.push_back(first.figures.interval_column());
    columns.emplace_back("bottleneck");
    if (!measured) return columns;
    columns.emplace_back("measured", std::vector{"measured " + unit});
    columns.emplace_back("error", std::vector<std::string>{"relative error"});
    return columns;
}

}  // namespace

std::vector<std::string> part_names(const std::vector<SizeRow>& rows) {
    std::vector<std::string> names;
    for (const SizeRow& row : rows) {
        for (const Part& part : row.answer.parts) {
            if (std::ranges::find(names, part.name) == names.end()) names.push_back(part.name);
        }
    }
    return names;
}

const Axis& chosen_axis(const Workload& workload, OptionWords words) {
    const Axis* chosen = nullptr;
    for (const Axis& axis : workload.axes) {
        if (!is_varied(axis.word(words))) continue;
        if (chosen != nullptr) {
            throw InputError(fmt::format("{} and {} are both lists: a table has one size a row, give one of them",
                                         chosen->option, axis.option));
        }
        chosen = &axis;
    }
    return chosen != nullptr ? *chosen : workload.axes.front();
}

std::vector<std::int64_t> chosen_sizes(const Workload& workload, const Axis& axis, OptionWords words,
                                       const Machine& machine) {
    const std::string given = axis.word(words);
    return given.empty() ? workload.sizes(words, machine) : axis.values(given, axis.option);
}

SizeRow size_row(const Workload& workload, const Axis& axis, OptionWords words, const Machine& machine,
                 std::int64_t size, const ReportProgress& progress) {
    // The only usual size is what the workload has without the option.
    const bool is_only = axis.word(words).empty() && workload.sizes(words, machine).size() == 1;
    if (!is_only) axis.word(words) = std::to_string(size);
    return {size, workload.answer(words, machine, chosen_nodes(words, machine), progress)};
}

Table bottleneck_table(const Axis& axis, const std::vector<SizeRow>& rows, const MeasuredRates& measured) {
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

Plot parts_plot(const Axis& axis, const std::vector<SizeRow>& rows, const MeasuredRates& measured) {
    Plot plot = plot_of_answers(rows.front().answer, axis.unit);
    plot.x_is_bytes = axis.unit == "bytes";
    if (plot.x_is_bytes) plot.x_label = "message size";
    for (const auto& [size, answer] : rows) add_to_plot(plot, static_cast<double>(size), answer);
    if (measured.empty()) return plot;
    Series points{"measured", Look::points};
    for (const auto& [nodes, rate] : measured) {
        points.add(static_cast<double>(nodes), rate.si() * rows.front().answer.figures.scale);
    }
    plot.series.push_back(std::move(points));
    return plot;
}

std::vector<std::string> bottleneck_changes(const Axis& axis, const std::vector<SizeRow>& rows) {
    std::vector<const SizeRow*> upwards;
    for (const SizeRow& row : rows) upwards.push_back(&row);
    std::ranges::stable_sort(upwards, {}, &SizeRow::size);
    const char* role = rows.front().answer.figures.bounded ? "the bottleneck" : "the largest term";
    std::vector<std::string> lines;
    for (std::size_t i = 1; i < upwards.size(); ++i) {
        const std::string& before = upwards[i - 1]->answer.bottleneck;
        const std::string& after = upwards[i]->answer.bottleneck;
        if (before == after) continue;
        lines.push_back(
            fmt::format("from {} {} on {} is {}, not {}", upwards[i]->size, axis.unit, after, role, before));
    }
    if (lines.empty()) {
        lines.push_back(fmt::format("{} is {} at every size", rows.front().answer.bottleneck, role));
    }
    return lines;
}

}  // namespace narrows
