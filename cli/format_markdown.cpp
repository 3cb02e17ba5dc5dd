
#include <cctype>

#include "cli/formats.hpp"

namespace narrows {
namespace {

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

// Whether the `*` or `_` there begins or ends emphasis: not one alone, nor `_` within a word.
bool emphasises(const std::string& text, std::size_t at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const char after = at + 1 == text.size() ? ' ' : text[at + 1];
    const bool alone = before == ' ' && after == ' ';
    const bool within_word = text[at] == '_' && is_of_word(before) && is_of_word(after);
    return !alone && !within_word;
}

std::string cell_text(const std::string& cell) {
    std::string text;
    for (const char c : markdown_text(cell)) text += c == '|' ? "\\|" : std::string(1, c);
    return text;
}

std::string line(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + cell_text(cell) + " |";
    return text + "\n";
}

// `level` is that of the title.
std::string text_of(const Document& document, std::size_t level) {
    std::string text =
        document.title.empty() ? "" : std::string(level, '#') + " " + markdown_text(document.title) + "\n";
    for (const std::string& note : document.notes) text += (text.empty() ? "" : "\n") + markdown_text(note) + "\n";
    for (const Table& table : document.tables) {
        if (!text.empty()) text += "\n";
        if (!table.title.empty()) text += "**" + markdown_text(table.title) + "**\n\n";
        text += line(texts_of(table.header)) + line(std::vector<std::string>(table.header.size(), "---"));
        for (const auto& row : table.rows) text += line(texts_of(row));
    }
    if (!document.remarks.empty() && !text.empty()) text += "\n";
    const bool aligned = document.remarks.size() > 1;  // lines that stand under each other must stay as they are
    if (aligned) text += "```text\n";
    for (const std::string& remark : document.remarks) text += (aligned ? remark : markdown_text(remark)) + "\n";
    if (aligned) text += "```\n";
    for (const Document& section : document.sections) text += "\n" + text_of(section, level + 1);
    return text;
}

}  // namespace

std::string markdown_text(const std::string& text) {
    std::string safe;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool ends_link_text = c == ']' && i + 1 < text.size() && text[i + 1] == '(';
        const bool is_mark = c == '\\' || c == '`' || ends_link_text || ((c == '*' || c == '_') && emphasises(text, i));
        if (is_mark) safe += '\\';
        safe += c == '<' ? "&lt;" : std::string(1, c);
    }
    return safe;
}

std::string format_markdown(const Document& document) {
    return text_of(document, 1);
}

}  // namespace narrows
