#include "data/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

bool is_continuation(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

// Length of the UTF-8 character at `at`, 0 when there is none.
std::size_t character_length(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x20) return first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
    if (first < 0x7F) return 1;
    const std::size_t length = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 && first < 0xF0 ? 3 : 2;
    if (first < 0xC2 || first >= 0xF5 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation(static_cast<unsigned char>(text[at + i]))) return 0;
    }
    return length;
}

}  // namespace

SourceText::SourceText(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n') starts_.push_back(i + 1);
    }
}

std::string_view SourceText::line(int number) const {
    if (number < 1 || static_cast<std::size_t>(number) > starts_.size()) return {};
    const std::size_t start = starts_[static_cast<std::size_t>(number) - 1];
    std::string_view rest = std::string_view(text_).substr(start);
    rest = rest.substr(0, rest.find('\n'));
    if (rest.ends_with('\r')) rest.remove_suffix(1);
    return rest;
}

Place SourceText::place(int line_from_0, int column_from_0) const {
    const int last = static_cast<int>(starts_.size());
    const Place clamped{std::clamp(line_from_0 + 1, 1, last), 1};
    const std::string_view before = line(clamped.line).substr(0, static_cast<std::size_t>(std::max(0, column_from_0)));
    const auto characters = std::count_if(before.begin(), before.end(),
                                          [](char c) { return !is_continuation(static_cast<unsigned char>(c)); });
    return {clamped.line, static_cast<int>(characters) + 1};
}

void SourceText::fail(Place place, const std::string& message) const {
    const std::string_view text = line(place.line);
    const std::size_t shown = text.size() > longest_line ? 100 : text.size();
    throw InputError(file_, place.line, place.column, std::string(text.substr(0, shown)), message);
}

void SourceText::require_text() const {
    std::size_t length = 0;
    for (std::size_t at = 0; at < text_.size(); at += length) {
        length = character_length(text_, at);
        if (length > 0) continue;
        const auto after = std::upper_bound(starts_.begin(), starts_.end(), at);
        const int line_from_0 = static_cast<int>(after - starts_.begin()) - 1;
        const int column_from_0 = static_cast<int>(at - starts_[static_cast<std::size_t>(line_from_0)]);
        fail(place(line_from_0, column_from_0),
             fmt::format("byte 0x{:02x} is not text: save the file as UTF-8", static_cast<unsigned char>(text_[at])));
    }
}

}  // namespace narrows
