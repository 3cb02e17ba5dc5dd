#include "topologies/importers/dot_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace narrows {
namespace {

bool begins_name(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::size_t name_length(std::string_view text) {
    std::size_t length = 0;
    while (length < text.size() && (begins_name(text[length]) || is_digit(text[length]))) ++length;
    return length;
}

/// Length of `-?(.digits | digits[.digits])` at the front of `text`, 0 when there is none.
std::size_t numeral_length(std::string_view text) {
    std::size_t length = text.starts_with('-') ? 1 : 0;
    std::size_t digits = 0;
    bool point = false;
    for (; length < text.size() && (is_digit(text[length]) || (text[length] == '.' && !point)); ++length) {
        is_digit(text[length]) ? static_cast<void>(++digits) : static_cast<void>(point = true);
    }
    return digits > 0 ? length : 0;
}

}  // namespace

bool DotToken::is_keyword(std::string_view keyword) const {
    return kind == DotTokenKind::identifier && !is_quoted &&
           std::equal(text.begin(), text.end(), keyword.begin(), keyword.end(),
                      [](unsigned char a, char b) { return std::tolower(a) == b; });
}

void DotTokens::skip_blank() {
    while (!rest_.empty()) {
        const auto offset = static_cast<std::size_t>(rest_.data() - source_.text().data());
        const bool line_begins = offset == 0 || source_.text()[offset - 1] == '\n';
        if (std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
            rest_.remove_prefix(1);
        } else if (rest_.starts_with("//") || (rest_.front() == '#' && line_begins)) {
            rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        } else if (rest_.starts_with("/*")) {
            const std::size_t end = rest_.find("*/", 2);
            if (end == rest_.npos) throw source_.error(rest_, "this comment has no end: close it with */");
            rest_.remove_prefix(end + 2);
        } else {
            return;
        }
    }
}

DotToken DotTokens::take(DotTokenKind kind, std::size_t length) {
    DotToken token{kind, std::string(rest_.substr(0, length)), rest_.substr(0, length)};
    rest_.remove_prefix(length);
    return token;
}

DotToken DotTokens::next() {
    skip_blank();
    if (rest_.empty()) return {DotTokenKind::end, "the end of the file", rest_};
    if (rest_.starts_with("--")) return take(DotTokenKind::undirected_edge, 2);
    if (rest_.starts_with("->")) return take(DotTokenKind::directed_edge, 2);
    if (std::string_view("{}[];,=:").find(rest_.front()) != std::string_view::npos)
        return take(DotTokenKind::symbol, 1);
    if (rest_.front() == '"') return quoted_string();
    if (rest_.front() == '<') return html_string();
    if (begins_name(rest_.front())) return take(DotTokenKind::identifier, name_length(rest_));
    if (const std::size_t length = numeral_length(rest_); length > 0) {
        if (length < rest_.size() && (begins_name(rest_[length]) || rest_[length] == '.')) {
            throw source_.error(rest_,
                                fmt::format("{} is a number with more behind it: put a name that begins with a "
                                            "digit between two '\"'",
                                            quoted(rest_.substr(0, length + name_length(rest_.substr(length))))));
        }
        return take(DotTokenKind::identifier, length);
    }
    throw source_.error(rest_, fmt::format("{} cannot begin a word of DOT: put a name with it between two '\"'",
                                           quoted(rest_.substr(0, 1))));
}

void DotTokens::append_string(std::string& text) {
    const std::string_view begin = rest_;
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_.front() != '"') {
        const bool escaped = rest_.starts_with("\\\"") || rest_.starts_with("\\\\");
        const std::size_t continued = rest_.starts_with("\\\n") ? 2 : rest_.starts_with("\\\r\n") ? 3 : 0;
        if (continued == 0) text += rest_[escaped ? 1 : 0];
        rest_.remove_prefix(continued > 0 ? continued : escaped ? 2 : 1);
    }
    if (rest_.empty()) throw source_.error(begin, "this string has no end: close it with a '\"'");
    rest_.remove_prefix(1);
}

DotToken DotTokens::quoted_string() {
    DotToken token{DotTokenKind::identifier, "", rest_, true};
    append_string(token.text);
    for (skip_blank(); rest_.starts_with('+'); skip_blank()) {
        rest_.remove_prefix(1);
        skip_blank();
        if (!rest_.starts_with('"')) throw source_.error(rest_, "a '+' joins two strings in '\"'");
        append_string(token.text);
    }
    return token;
}

DotToken DotTokens::html_string() {
    std::size_t end = 0;
    int depth = 0;
    for (; end < rest_.size(); ++end) {
        if (rest_[end] == '<') ++depth;
        if (rest_[end] == '>' && --depth == 0) break;
    }
    if (end == rest_.size()) throw source_.error(rest_, "this HTML string has no end: close it with a '>'");
    DotToken token = take(DotTokenKind::identifier, end + 1);
    token.is_quoted = true;
    return token;
}

}  // namespace narrows
