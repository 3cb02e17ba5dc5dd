#include "cli/table.hpp"

#include <algorithm>
#include <cctype>

namespace narrows {
namespace {

bool is_number(const std::string& cell) {
    const std::size_t first = cell.find_first_not_of("+-");
    return first <= 1 && std::isdigit(static_cast<unsigned char>(cell[first])) != 0;
}

}  // namespace

std::vector<std::string> texts_of(const std::vector<TableCell>& row) {
    std::vector<std::string> texts;
    for (const TableCell& cell : row) texts.push_back(cell.text);
    return texts;
}

std::vector<std::string> texts_of(const std::vector<TableColumn>& header) {
    std::vector<std::string> texts;
    for (const TableColumn& column : header) texts.push_back(column.name);
    return texts;
}

std::vector<bool> numeric_columns(const Table& table) {
    std::vector<bool> numeric;
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        numeric.push_back(!table.rows.empty() && std::ranges::all_of(table.rows, [&](const auto& row) {
            const std::string& cell = row[column].text;
            return is_number(cell) || cell.empty() || cell == "-";
        }));
    }
    return numeric;
}

}  // namespace narrows
