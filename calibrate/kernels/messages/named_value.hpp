#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace narrows {

/// What the enumerators of `V` are called on the command line and in files, in their order; empty: it has no name.
template <std::size_t n>
using NamesInOrder = std::array<std::string_view, n>;

/// The name of a value. Throws std::logic_error when there is none.
template <std::size_t n, class V>
std::string_view name_in(const NamesInOrder<n>& names, V value) {
    const std::string_view name = names.at(static_cast<std::size_t>(value));
    if (name.empty()) throw std::logic_error("name_in: a value without a name");
    return name;
}

/// The value of that name, if there is one.
template <class V, std::size_t n>
std::optional<V> value_in(const NamesInOrder<n>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (name.empty() || found == names.end()) return std::nullopt;
    return static_cast<V>(found - names.begin());
}

}  // namespace narrows
