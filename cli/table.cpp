#include "cli/table.hpp"

namespace narrows {

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

}  // namespace narrows
