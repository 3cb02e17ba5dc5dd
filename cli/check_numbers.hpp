#pragma once

#include "cli/document.hpp"

namespace narrows {

/// The last guard before a result is printed. Throws std::runtime_error with the number's place when one is not finite,
/// or is a time or a rate below zero.
void check_numbers(const Document& document);

}  // namespace narrows
