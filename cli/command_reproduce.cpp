#include <fmt/format.h>

#include <cmath>
#include <map>

#include "cli/cell_functions.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "data/reproduction.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

nlohmann::ordered_json json_of_cell(const std::string& paper, const Cell& cell) {
    return {{"paper", paper},
            {"item", cell.item},
            {"row", cell.row},
            {"column", cell.column},
            {"published", json_or_null(cell.published_value())},
            {"computed", json_or_null(cell.computed)},
            {"relative_error", json_or_null(cell.relative_error())},
            {"status", cell.status},
            {"note", cell.note}};
}

// Five digits, and large counts in full.
std::string number_text(double value) {
    return std::abs(value) >= 1e5 && std::abs(value) < 1e12 ? fmt::format("{:.0f}", value)
                                                            : fmt::format("{:.5g}", value);
}

// As printed; CSV has the ends of a range such as `2 to 16` beside each other.
TableCell published_cell(const Cell& cell) {
    if (const auto value = cell.published_value()) return {cell.published, {*value}};
    const auto to = cell.published.find(" to ");
    if (cell.published.empty() || to == std::string::npos) return cell.published.empty() ? "-" : cell.published;
    return {cell.published, {nullptr, cell.published.substr(0, to), cell.published.substr(to + 4)}};
}

std::vector<TableCell> row_of_cell(const Cell& cell) {
    const auto error = cell.relative_error();
    return {cell.item,
            cell.row,
            cell.column,
            published_cell(cell),
            cell.computed ? TableCell(number_text(*cell.computed), {*cell.computed}) : "-",
            error ? TableCell(fmt::format("{:+.2f} %", 100 * *error), {*error}) : "-",
            cell.status,
            cell.note};
}

Table table_of(std::string title) {
    return {std::move(title),
            {"item",
             "row",
             "column",
             {"published", {"published", "published low", "published high"}},
             "computed",
             {"error", {"relative error"}},
             "status",
             "note"},
            {}};
}

// All papers together.
void add_to_csv(const std::string& paper, std::vector<TableCell> row, Table& csv) {
    row.insert(row.begin(), paper);
    csv.rows.push_back(std::move(row));
}

std::string summary(const std::string& paper, const std::vector<Cell>& cells) {
    std::map<std::string, int> count;
    for (const Cell& cell : cells) ++count[cell.status];
    std::string text = fmt::format("{}: {} cells", paper, cells.size());
    for (const char* status : {"match", "consistent", "explained", "off", "measured", "computed", "open"}) {
        if (count.contains(status)) text += fmt::format(", {} {}", count[status], status);
    }
    return text;
}

int print_cells(const std::string& paper, Output& output) {
    require_output(output, Draws::no);
    Document document{json_of("reproduce")};
    document.json["cells"] = nlohmann::ordered_json::array();
    document.csv = table_of("");
    document.csv->header.insert(document.csv->header.begin(), "paper");
    bool off = false;
    for (const std::string& name : paper.empty() ? published_papers() : std::vector{paper}) {
        Progress progress(output.progress, "reproduce " + name);
        const std::vector<Cell> cells =
            reproduce(load_cells(name), cell_language(), [&](double part) { progress.at(part); });
        Table table = table_of(name);
        for (const Cell& cell : cells) {
            document.json["cells"].push_back(json_of_cell(name, cell));
            table.rows.push_back(row_of_cell(cell));
            add_to_csv(name, row_of_cell(cell), *document.csv);
            off = off || cell.status == "off";
        }
        document.tables.push_back(table);
        document.remarks.push_back(summary(name, cells));
    }
    return emit(document, output, !off);
}

}  // namespace

Command reproduce_command() {
    return {
        "reproduce",
        "every published number that the model computes, beside the computed one",
        {"reproduce garg2006", "reproduce kumar2008", "reproduce underwood2008 --format json"},
        [](CLI::App& app, const Arguments&) {
            const auto paper = std::make_shared<std::string>();
            app.add_option(
                "PAPER", *paper,
                "one of those shipped, or a folder with cells.yaml; default: all shipped. Status: match; consistent "
                "(arithmetic on the paper's own numbers); explained (the paper contradicts itself); off; measured (a "
                "measurement beside the prediction); computed (the paper has the equation only); open (the paper does "
                "not pin it down, the note says what would)");
            return [paper](Output& output) { return print_cells(*paper, output); };
        }};
}

}  // namespace narrows
