#pragma once

#include <optional>
#include <string_view>

namespace narrows {

/// The finite decimal number that the whole of `word` is, else nothing; the same in every locale.
std::optional<double> to_number(std::string_view word);

}  // namespace narrows
