#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/formats.hpp"

namespace narrows {
namespace {

// Characters shown, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool is_number(const std::string& cell) {
    return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) || cell[0] == '-' || cell[0] == '+');
}

std::string padded(const std::string& cell, std::size_t columns, bool right) {
    const std::string space(columns - width(cell), ' ');
    return right ? space + cell : cell + space;
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                 const std::vector<bool>& right) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        text += (i == 0 ? "" : "  ") + padded(cells[i], widths[i], right[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string table_text(const Table& table) {
    std::vector<std::size_t> widths;
    std::vector<bool> right;
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        std::size_t widest = width(table.header[column]);
        bool numbers = !table.rows.empty();
        for (const auto& row : table.rows) {
            widest = std::max(widest, width(row[column]));
            numbers = numbers && (is_number(row[column]) || row[column].empty() || row[column] == "-");
        }
        widths.push_back(widest);
        right.push_back(numbers);
    }
    std::string text = table.title.empty() ? "" : table.title + "\n";
    text += line(table.header, widths, right);
    for (const auto& row : table.rows) text += line(row, widths, right);
    return text;
}

}  // namespace

std::string format_table(const Document& document) {
    std::string text;
    for (const std::string& note : document.notes) text += note + "\n";
    for (const Table& table : document.tables) text += (text.empty() ? "" : "\n") + table_text(table);
    if (!document.remarks.empty() && !text.empty()) text += "\n";
    for (const std::string& remark : document.remarks) text += remark + "\n";
    return text;
}

}  // namespace narrows
