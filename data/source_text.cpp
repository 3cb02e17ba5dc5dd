#include "data/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "topologies/utf8.hpp"

namespace narrows {
namespace {

// Length of the character at `at` in a text that is no control character, 0 when there is none.
std::size_t character_length(std::string_view text, std::size_t at) {
    const char first = text[at];
    const bool control =
        (static_cast<unsigned char>(first) < 0x20 && first != '\t' && first != '\n' && first != '\r') || first == 0x7F;
    return control ? 0 : utf8_length(text.substr(at));
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
    return {clamped.line, characters_in(before) + 1};
}

Origin SourceText::origin(Place place) const {
    return {file_, place.line, place.column, std::string(line(place.line))};
}

void SourceText::fail(Place place, const std::string& message) const {
    origin(place).fail(message);
}

void SourceText::require_text() const {
    std::size_t length = 0;
    for (std::size_t at = 0; at < text_.size(); at += length) {
        length = character_length(text_, at);
        if (length > 0) continue;
        const auto after = std::ranges::upper_bound(starts_, at);
        const int line_from_0 = static_cast<int>(after - starts_.begin()) - 1;
        const int column_from_0 = static_cast<int>(at - starts_[static_cast<std::size_t>(line_from_0)]);
        fail(place(line_from_0, column_from_0),
             fmt::format("byte 0x{:02x} is not text: save the file as UTF-8", static_cast<unsigned char>(text_[at])));
    }
}

}  // namespace narrows
