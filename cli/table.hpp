#pragma once

#include <fmt/format.h>

#include <concepts>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace narrows {

/// A cell: the text that a reader sees, and the values that CSV has in its place, one for each of the column's names.
struct TableCell {
    /// A text is a cell: CSV has the same text, and nothing for `-`.
    TableCell(std::string shown)
        : text(std::move(shown)), values{text == "-" ? nlohmann::json() : nlohmann::json(text)} {}
    TableCell(const char* shown) : TableCell(std::string(shown)) {}
    /// Values beyond the last one are absent.
    TableCell(std::string shown, std::vector<nlohmann::json> of_csv)
        : text(std::move(shown)), values(std::move(of_csv)) {}

    std::string text;
    std::vector<nlohmann::json> values;
    bool limits = false;  ///< it is, or names, what holds the result back; shown where there are colours
};

/// A column: its name for a reader, and those of its values in CSV, with their units.
struct TableColumn {
    /// A name is a column, the same in CSV.
    TableColumn(std::string shown) : name(std::move(shown)), csv{name} {}
    TableColumn(const char* shown) : TableColumn(std::string(shown)) {}
    TableColumn(std::string shown, std::vector<std::string> of_csv) : name(std::move(shown)), csv(std::move(of_csv)) {}

    std::string name;
    std::vector<std::string> csv;
};

/// A table.
struct Table {
    std::string title;
    std::vector<TableColumn> header;
    std::vector<std::vector<TableCell>> rows;
    /// So many of the last columns hold sentences: plain text sets them below the table, a paragraph a row.
    std::size_t sentences = 0;
};

/// A whole number.
template <std::integral Number>
TableCell count_cell(Number count) {
    return {std::to_string(count), {count}};
}

/// A number of which a reader sees four digits.
inline TableCell number_cell(double value) {
    return {fmt::format("{:.4g}", value), {value}};
}

/// A part of 1, shown in percent.
inline TableCell share_cell(double share) {
    return {fmt::format("{:.1f} %", 100 * share), {share}};
}

/// A relative deviation, shown in percent with its sign.
inline TableCell error_cell(double error) {
    return {fmt::format("{:+.1f} %", 100 * error), {error}};
}

/// Whether each column holds numbers alone, for a reader, and is set flush right.
std::vector<bool> numeric_columns(const Table& table);

/// What a reader sees of a row, and of the header.
std::vector<std::string> texts_of(const std::vector<TableCell>& row);
std::vector<std::string> texts_of(const std::vector<TableColumn>& header);

}  // namespace narrows
