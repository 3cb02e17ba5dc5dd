#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/unit.hpp"

namespace narrows {

/// A unit by name, and what it measures.
struct NamedUnit {
    std::string_view name;
    Dimension dimension;
};

/// What to write instead of `name`, which is none of the units `known`: `, did you mean 'Gbit/s'?` for `Gb/s`, else how
/// a quantity is written. Means what was written, bits as bits and G as 10⁹, and only units of what is `expected`,
/// where that is given.
std::string unit_suggestion(std::string_view name, std::optional<Dimension> expected, std::span<const NamedUnit> known);

}  // namespace narrows
