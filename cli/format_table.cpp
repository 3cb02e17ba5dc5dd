
#include <algorithm>
#include <functional>
#include <sstream>

#include "cli/formats.hpp"

namespace narrows {
namespace {

// Characters shown, not bytes: continuation bytes of UTF-8 take no room, nor does the bar over S, U+0304.
std::size_t width(const std::string& text) {
    std::size_t shown = 0;
    for (const char c : text) shown += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    constexpr std::string_view bar = "\u0304";
    for (auto at = text.find(bar); at != std::string::npos; at = text.find(bar, at + 1)) --shown;
    return shown;
}

// What a terminal is told in colours; else both leave a text as it is.
std::string bold(const std::string& text, Colours colours) {
    return colours == Colours::none || text.empty() ? text : "\x1b[1m" + text + "\x1b[0m";
}

std::string yellow(const std::string& text, Colours colours) {
    return colours == Colours::none || text.empty() ? text : "\x1b[33m" + text + "\x1b[0m";
}

// How a cell is shown, by its column and text.
using Paint = std::function<std::string(std::size_t column, const std::string& text)>;

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                 const std::vector<bool>& right, const Paint& paint) {
    std::string text;
    std::string gap;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string space(widths[i] - width(cells[i]), ' ');
        const std::string cell = paint(i, cells[i]);
        if (cell.empty()) {
            gap.append(space).append("  ");
            continue;
        }
        text.append(gap).append(right[i] ? space : "").append(cell);
        gap.assign(right[i] ? "" : space).append("  ");
    }
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

std::string table_text(const Table& table, Colours colours) {
    std::vector<std::size_t> widths;
    const std::vector<bool> right = numeric_columns(table);
    for (std::size_t column = 0; column + table.sentences < table.header.size(); ++column) {
        std::size_t widest = width(table.header[column].name);
        for (const auto& row : table.rows) widest = std::max(widest, width(row[column].text));
        widths.push_back(widest);
    }
    std::string text = table.title.empty() ? "" : bold(table.title, colours) + "\n";
    const auto of_header = [&](std::size_t, const std::string& cell) { return bold(cell, colours); };
    text += line(texts_of(table.header), widths, right, of_header);
    for (const auto& row : table.rows) {
        const auto of_row = [&](std::size_t column, const std::string& cell) {
            return row[column].limits ? yellow(cell, colours) : cell;
        };
        text += line(texts_of(row), widths, right, of_row);
    }
    if (table.sentences > 0) text += "\n";
    for (const auto& row : table.rows) text += sentences_text(table, row);
    return text;
}

}  // namespace

std::string format_table(const Document& document, Colours colours) {
    std::string text = document.title.empty() ? "" : bold(document.title, colours) + "\n";
    if (!text.empty() && !document.notes.empty()) text += "\n";
    for (const std::string& note : document.notes) text += note + "\n";
    for (const Table& table : document.tables) text += (text.empty() ? "" : "\n") + table_text(table, colours);
    if (!document.remarks.empty() && !text.empty()) text += "\n";
    for (const std::string& remark : document.remarks) text += remark + "\n";
    for (const Document& section : document.sections) text += "\n" + format_table(section, colours);
    return text;
}

}  // namespace narrows
