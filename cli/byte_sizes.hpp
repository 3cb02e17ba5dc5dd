#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/quantity.hpp"

namespace narrows {

/// Sizes of messages: `8`, `1KiB` or a list as `values_of` reads it, where `8..4MiB` includes its end. Whole bytes, in
/// increasing order. InputError names `option`.
std::vector<std::int64_t> parse_byte_sizes(const std::string& text, const std::string& option);

/// The same of data that no message carries as one: up to 1024 TiB.
std::vector<std::int64_t> parse_data_sizes(const std::string& text, const std::string& option);

/// `4 KiB`, `12 B`: in binary units where they are whole.
std::string size_text(Data size);

}  // namespace narrows
