#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/formats.hpp"

namespace narrows {
namespace {

// Characters shown, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& cell, std::size_t columns, bool right) {
    const std::string space(columns - width(cell), ' ');
    return right ? space + cell : cell + space;
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                 const std::vector<bool>& right) {
    std::string text;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        text += (i == 0 ? "" : "  ") + padded(cells[i], widths[i], right[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

/// `text` in lines of at most 120 characters where its words allow, indented by `first` and then by `next`.
std::string wrapped(const std::string& text, std::size_t first, std::size_t next) {
    constexpr std::size_t columns = 120;
    std::istringstream words(text);
    std::string all;
    std::string line(first, ' ');
    bool begun = false;
    for (std::string word; words >> word; begun = true) {
        if (begun && width(line) + 1 + width(word) > columns) {
            all += line + "\n";
            line = std::string(next, ' ') + word;
        } else {
            line += (begun ? " " : "") + word;
        }
    }
    return all + line + "\n";
}

/// What a row says in its last columns: the first after the row's name, the others after their headers.
std::string sentences_text(const Table& table, const std::vector<TableCell>& row) {
    const std::size_t first = table.header.size() - table.sentences;
    std::string text;
    for (std::size_t column = first; column < row.size(); ++column) {
        if (row[column].text.empty()) continue;
        const bool is_first = column == first;
        const std::string& begin = is_first ? row.front().text : table.header[column].name;
        text += wrapped(begin + ": " + row[column].text, is_first ? 0 : 4, is_first ? 4 : 6);
    }
    return text;
}

std::string table_text(const Table& table) {
    std::vector<std::size_t> widths;
    const std::vector<bool> right = numeric_columns(table);
    for (std::size_t column = 0; column + table.sentences < table.header.size(); ++column) {
        std::size_t widest = width(table.header[column].name);
        for (const auto& row : table.rows) widest = std::max(widest, width(row[column].text));
        widths.push_back(widest);
    }
    std::string text = table.title.empty() ? "" : table.title + "\n";
    text += line(texts_of(table.header), widths, right);
    for (const auto& row : table.rows) text += line(texts_of(row), widths, right);
    if (table.sentences > 0) text += "\n";
    for (const auto& row : table.rows) text += sentences_text(table, row);
    return text;
}

}  // namespace

std::string format_table(const Document& document) {
    std::string text = document.title.empty() ? "" : document.title + "\n";
    if (!text.empty() && !document.notes.empty()) text += "\n";
    for (const std::string& note : document.notes) text += note + "\n";
    for (const Table& table : document.tables) text += (text.empty() ? "" : "\n") + table_text(table);
    if (!document.remarks.empty() && !text.empty()) text += "\n";
    for (const std::string& remark : document.remarks) text += remark + "\n";
    for (const Document& section : document.sections) text += "\n" + format_table(section);
    return text;
}

}  // namespace narrows
