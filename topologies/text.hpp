#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace narrows {

/// Cuts the next line, without its end, off `rest`; nothing when `rest` is empty.
std::optional<std::string_view> cut_line(std::string_view& rest);

/// Cuts the next word off `line`: what is between spaces or, from a '"' on, up to the next '"' and without both.
/// Nothing when only spaces are left. A '"' without its other is part of a word.
std::optional<std::string_view> cut_word(std::string_view& line);

/// Cuts the first part of `rest`, up to the next `separator` or the end, off with that separator.
std::string_view cut_until(std::string_view& rest, char separator);

/// All parts of `text` between separators, one at least.
std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` without the white space at its ends, ends of lines included.
std::string_view trimmed(std::string_view text);

/// The whole number that `word` is, if it is one of digits only and below 10^18.
std::optional<std::int64_t> to_count(std::string_view word);

/// `text` with small letters.
std::string lower_case(std::string_view text);

}  // namespace narrows
