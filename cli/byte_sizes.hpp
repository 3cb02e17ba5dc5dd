#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace narrows {

/// Sizes of messages: `8`, `1KiB`, a list `8,64,1 KiB`, or `8..4MiB`, which doubles from the first to the last. Whole
/// bytes, in increasing order. InputError names `option`.
std::vector<std::size_t> parse_byte_sizes(const std::string& text, const std::string& option);

}  // namespace narrows
