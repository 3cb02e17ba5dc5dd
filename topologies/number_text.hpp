#pragma once

#include <optional>
#include <string_view>

namespace narrows {

/// The finite decimal number that the whole of `word` is, else nothing; the same in every locale.
std::optional<double> to_number(std::string_view word);

/// Digits behind the point of a decimal number; 0 without a point.
int decimals(std::string_view word);

}  // namespace narrows
