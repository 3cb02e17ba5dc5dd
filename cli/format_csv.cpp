#include <fmt/format.h>

#include <stdexcept>

#include "cli/formats.hpp"
#include "data/csv.hpp"

namespace narrows {
namespace {

std::string text_of(const nlohmann::json& value) {
    if (value.is_null()) return "";
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

std::vector<std::string> names_of(const Table& table) {
    std::vector<std::string> names;
    for (const TableColumn& column : table.header) names.insert(names.end(), column.csv.begin(), column.csv.end());
    return names;
}

std::vector<std::string> values_of(const Table& table, const std::vector<TableCell>& row) {
    std::vector<std::string> values;
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        const std::vector<nlohmann::json>& known = row.at(column).values;
        const std::size_t names = table.header[column].csv.size();
        if (known.size() > names)
            throw std::logic_error("a cell of '" + table.header[column].name + "' with more values than names");
        for (std::size_t i = 0; i < names; ++i) values.push_back(i < known.size() ? text_of(known[i]) : "");
    }
    return values;
}

}  // namespace

std::string format_csv(const Document& document) {
    if (!document.csv && document.tables.empty()) throw std::logic_error("a document without a table");
    const Table& table = document.csv ? *document.csv : document.tables.front();
    std::string text = csv_line(names_of(table));
    for (const auto& row : table.rows) text += csv_line(values_of(table, row));
    return text;
}

}  // namespace narrows
