#include "topologies/importers/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "topologies/utf8.hpp"

namespace narrows {
namespace {

constexpr std::size_t longest_quoted_word = 60;
constexpr double least_capacity = 1e-100;
constexpr double most_capacity = 1e100;

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
    const int column = characters_in(text_.substr(begin, offset - begin)) + 1;
    return {file_, line(text_.substr(offset)), column, std::string(line_text), message};
}

InputError Source::error_at_end(const std::string& message) const {
    std::string_view text = text_;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    return error_at(text.size(), message);
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

std::string quoted(std::string_view word) {
    std::size_t length = std::min(word.size(), longest_quoted_word);
    while (length > 0 && length < word.size() && characters_in(word.substr(length, 1)) == 0) --length;
    return fmt::format("'{}{}'", word.substr(0, length), length < word.size() ? "..." : "");
}

}  // namespace narrows
