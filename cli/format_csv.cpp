#include <stdexcept>

#include "cli/formats.hpp"
#include "data/csv.hpp"

namespace narrows {

std::string format_csv(const Document& document) {
    if (document.tables.empty()) throw std::logic_error("a document without a table");
    const Table& table = document.tables.front();
    std::string text = csv_line(table.header);
    for (const auto& row : table.rows) text += csv_line(row);
    return text;
}

}  // namespace narrows
