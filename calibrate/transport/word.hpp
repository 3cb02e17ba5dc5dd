#pragma once

#include <cstddef>
#include <cstdint>

namespace narrows {

/// What packets are made of. A word in a packet is never zero: zero ends a packet.
using Word = std::uint64_t;

/// Words of a cache line.
inline constexpr std::size_t line_words = 8;

/// `words` rounded up to whole cache lines.
constexpr std::size_t whole_lines(std::size_t words) {
    return (words + line_words - 1) / line_words * line_words;
}

}  // namespace narrows
