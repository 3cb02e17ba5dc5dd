#include "topologies/importers/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>

namespace narrows {
namespace {

constexpr std::size_t longest_quoted_word = 60;
constexpr double least_capacity = 1e-100;
constexpr double most_capacity = 1e100;

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool begins_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t offset_in(std::string_view text, std::string_view part) {
    const std::less<> before;
    const bool inside = !before(part.data(), text.data()) && !before(text.data() + text.size(), part.data());
    return inside ? static_cast<std::size_t>(part.data() - text.data()) : text.size();
}

}  // namespace

int Source::line(std::string_view part) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(offset_in(text_, part));
    return 1 + static_cast<int>(std::count(text_.begin(), end, '\n'));
}

std::string_view Source::place_of(std::string_view part) const {
    const std::less<> before;
    const bool inside = !before(part.data(), text_.data()) && before(part.data(), text_.data() + text_.size());
    return inside ? part : text_.substr(std::min(text_.find(part), text_.size()));
}

InputError Source::error(std::string_view part, const std::string& message) const {
    return error_at(offset_in(text_, part), message);
}

InputError Source::error_at(std::size_t offset, const std::string& message) const {
    offset = std::min(offset, text_.size());
    const std::size_t before = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    std::string_view rest = text_.substr(begin);
    const std::string_view line_text = cut_line(rest).value_or("");
    const auto characters = std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                          text_.begin() + static_cast<std::ptrdiff_t>(offset), begins_character);
    return {file_, line(text_.substr(offset)), static_cast<int>(characters) + 1, std::string(line_text), message};
}

InputError Source::error_at_end(const std::string& message) const {
    std::string_view text = text_;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    return error_at(text.size(), message);
}

std::string_view cut_until(std::string_view& rest, char separator) {
    const std::string_view part = rest.substr(0, rest.find(separator));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    const auto separators = std::count(text.begin(), text.end(), separator);
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

double to_capacity(const Source& source, std::string_view word, std::string_view place) {
    const std::optional<double> capacity = to_number(word);
    if (!capacity) {
        throw source.error(place,
                           fmt::format("capacity {} is not a finite number: write one above zero", quoted(word)));
    }
    if (*capacity <= 0) {
        throw source.error(place, fmt::format("capacity {} is not above zero: leave the link out, or write what it "
                                              "carries",
                                              quoted(word)));
    }
    if (*capacity < least_capacity || *capacity > most_capacity) {
        throw source.error(
            place, fmt::format("capacity {} is not within 1e-100 and 1e100: choose another unit", quoted(word)));
    }
    return *capacity;
}

double to_capacity(const Source& source, std::string_view word) {
    return to_capacity(source, word, word);
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string quoted(std::string_view word) {
    std::size_t length = std::min(word.size(), longest_quoted_word);
    while (length > 0 && length < word.size() && !begins_character(word[length])) --length;
    return fmt::format("'{}{}'", word.substr(0, length), length < word.size() ? "..." : "");
}

}  // namespace narrows
