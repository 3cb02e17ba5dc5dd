#include "topologies/text.hpp"

#include <algorithm>
#include <cctype>

namespace narrows {
namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

std::string_view cut_until(std::string_view& rest, char separator) {
    const std::string_view part = rest.substr(0, rest.find(separator));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    const auto separators = std::ranges::count(text, separator);
    std::vector<std::string_view> parts;
    for (std::ptrdiff_t i = 0; i <= separators; ++i) parts.push_back(cut_until(text, separator));
    return parts;
}

std::optional<std::string_view> cut_line(std::string_view& rest) {
    if (rest.empty()) return std::nullopt;
    std::string_view line = cut_until(rest, '\n');
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
}

std::optional<std::string_view> cut_word(std::string_view& line) {
    std::size_t begin = 0;
    while (begin < line.size() && is_space(line[begin])) ++begin;
    line.remove_prefix(begin);
    if (line.empty()) return std::nullopt;
    const std::size_t closing = line.front() == '"' ? line.find('"', 1) : std::string_view::npos;
    if (closing != std::string_view::npos) {
        const std::string_view word = line.substr(1, closing - 1);
        line.remove_prefix(closing + 1);
        return word;
    }
    std::size_t end = 0;
    while (end < line.size() && !is_space(line[end])) ++end;
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    return word;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (is_space(text.front()) || text.front() == '\n')) text.remove_prefix(1);
    while (!text.empty() && (is_space(text.back()) || text.back() == '\n')) text.remove_suffix(1);
    return text;
}

std::optional<std::int64_t> to_count(std::string_view word) {
    constexpr std::size_t most_digits = 18;
    if (word.empty() || word.size() > most_digits) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : word) {
        if (c < '0' || c > '9') return std::nullopt;
        value = 10 * value + (c - '0');
    }
    return value;
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

}  // namespace narrows
