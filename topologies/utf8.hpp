#pragma once

#include <cstddef>
#include <string_view>

namespace narrows {

/// Bytes of the character that `text` begins with in UTF-8; 0 where it begins with none: an empty text, or bytes that
/// stand for no character of Unicode.
std::size_t utf8_length(std::string_view text);

/// Characters of `text`, which is UTF-8.
int characters_in(std::string_view text);

/// Whether all of `text` is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace narrows
