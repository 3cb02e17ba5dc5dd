#include "cli/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "topologies/utf8.hpp"

namespace narrows {
namespace {

/// Takes the first character off `text` and returns what is shown of it. `text` is not empty.
std::string take_shown(std::string_view& text) {
    const std::size_t length = utf8_length(text);
    const std::string_view taken = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(taken.size());
    const auto byte = [taken](std::size_t at) { return static_cast<unsigned char>(taken[at]); };
    const bool control = length == 1 && (byte(0) < 0x20 || byte(0) == 0x7F) && taken != "\n" && taken != "\t";
    if (length == 0 || control) return fmt::format("\\x{:02x}", byte(0));
    if (length == 2 && taken >= "\xC2\x80" && taken <= "\xC2\x9F") return fmt::format("\\u00{:02x}", byte(1));
    const bool ends_or_turns = (taken >= "\xE2\x80\xA8" && taken <= "\xE2\x80\xAE") ||  // U+2028 to U+202E
                               (taken >= "\xE2\x81\xA6" && taken <= "\xE2\x81\xA9");    // U+2066 to U+2069
    if (length != 3 || !ends_or_turns) return std::string(taken);
    return fmt::format("\\u{:04x}", 0x2000U + (byte(1) & 0x3FU) * 64U + (byte(2) & 0x3FU));
}

std::string printable_line(std::string_view text) {
    std::string line;
    for (const char c : printable(text))
        line += c == '\n' || c == '\t' ? fmt::format("\\x{:02x}", c) : std::string(1, c);
    return line;
}

std::size_t width(const std::string& shown) {
    return shown.front() == '\\' ? shown.size() : 1;
}

/// What has room in `room` columns of what is shown of `text`, of which it is taken off.
std::string take_fitting(std::string_view& text, std::size_t& room) {
    std::string shown;
    for (std::string_view rest = text; !text.empty(); text = rest) {
        const std::string next = take_shown(rest);
        if (width(next) > room) break;
        room -= width(next);
        shown += next;
    }
    return shown;
}

void make_printable(TableCell& cell) {
    cell.text = printable_line(cell.text);
    for (nlohmann::json& value : cell.values) {
        if (value.is_string()) value = printable_line(value.get<std::string>());
    }
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) shown += take_shown(text);
    return shown;
}

namespace {

void make_printable(Table& table) {
    table.title = printable_line(table.title);
    for (TableColumn& column : table.header) {
        column.name = printable_line(column.name);
        for (std::string& name : column.csv) name = printable_line(name);
    }
    for (auto& row : table.rows) {
        for (TableCell& cell : row) make_printable(cell);
    }
}

}  // namespace

Document printable(Document document) {
    document.title = printable_line(document.title);
    for (Document& section : document.sections) section = printable(std::move(section));
    for (std::string& note : document.notes) note = printable(note);
    for (std::string& remark : document.remarks) remark = printable(remark);
    for (Table& table : document.tables) make_printable(table);
    if (document.csv) make_printable(*document.csv);
    if (!document.plot) return document;
    for (std::string* text :
         {&document.plot->title, &document.plot->x_label, &document.plot->quantity, &document.plot->unit})
        *text = printable_line(*text);
    for (Series& series : document.plot->series) series.name = printable_line(series.name);
    for (std::string& name : document.plot->x_names) name = printable_line(name);
    return document;
}

QuotedLine quoted_line(std::string_view line, int column) {
    constexpr std::size_t most = 200 - 2 * 3;  // beside "..." at both ends
    std::deque<std::string> before;
    std::size_t columns = 0;
    bool begins_later = false;
    const auto shorten_to = [&](std::size_t room) {
        for (; columns > room; before.pop_front()) {
            columns -= width(before.front());
            begins_later = true;
        }
    };
    for (int at = 1; at < column && !line.empty(); ++at) {
        before.push_back(take_shown(line));
        columns += width(before.back());
        shorten_to(most);
    }
    std::size_t room = std::max(most - columns, most / 2);
    const std::size_t room_before = most - room;
    const std::string after = take_fitting(line, room);
    shorten_to(room_before + room);
    QuotedLine quoted;
    if (begins_later) quoted = {"...", "   "};
    for (const std::string& shown : before) {
        quoted.text += shown;
        quoted.caret += shown == "\t" ? "\t" : std::string(width(shown), ' ');
    }
    quoted.text += after + (line.empty() ? "" : "...");
    quoted.caret += '^';
    return quoted;
}

PrintableStream::Lines::int_type PrintableStream::Lines::overflow(int_type character) {
    if (character == traits_type::eof()) return traits_type::not_eof(character);
    line_ += traits_type::to_char_type(character);
    return line_.back() != '\n' || sync() == 0 ? character : traits_type::eof();
}

int PrintableStream::Lines::sync() {
    to_ << printable(line_) << std::flush;
    line_.clear();
    return to_.good() ? 0 : -1;
}

}  // namespace narrows
