#include <fmt/format.h>

#include <cctype>

#include "cli/formats.hpp"

namespace narrows {
namespace {

bool is_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

// With a backslash before what Markdown would take for its own; `per_byte` and a lone `*` are texts to it as they are.
std::string cell_text(const std::string& cell) {
    std::string text;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        const char c = cell[i], before = i == 0 ? ' ' : cell[i - 1], after = i + 1 == cell.size() ? ' ' : cell[i + 1];
        const bool in_word = c == '_' && is_letter(before) && is_letter(after);
        const bool alone = before == ' ' && after == ' ';
        if (c == '|' || c == '`' || c == '<' || ((c == '*' || c == '_') && !in_word && !alone)) text += '\\';
        text += c;
    }
    return text;
}

std::string line(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + cell_text(cell) + " |";
    return text + "\n";
}

// `level` is that of the title.
std::string text_of(const Document& document, std::size_t level) {
    std::string text = document.title.empty() ? "" : std::string(level, '#') + " " + document.title + "\n";
    for (const std::string& note : document.notes) text += (text.empty() ? "" : "\n") + note + "\n";
    for (const Table& table : document.tables) {
        if (!text.empty()) text += "\n";
        if (!table.title.empty()) text += "**" + table.title + "**\n\n";
        text += line(texts_of(table.header)) + line(std::vector<std::string>(table.header.size(), "---"));
        for (const auto& row : table.rows) text += line(texts_of(row));
    }
    if (!document.remarks.empty() && !text.empty()) text += "\n";
    const bool aligned = document.remarks.size() > 1;  // lines that stand under each other must stay as they are
    if (aligned) text += "```text\n";
    for (const std::string& remark : document.remarks) text += remark + "\n";
    if (aligned) text += "```\n";
    for (const Document& section : document.sections) text += "\n" + text_of(section, level + 1);
    return text;
}

}  // namespace

std::string format_markdown(const Document& document) {
    return text_of(document, 1);
}

}  // namespace narrows
