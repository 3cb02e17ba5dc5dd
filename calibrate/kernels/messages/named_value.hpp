#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace narrows {

/// An enumerator and what it is called on the command line and in files: a row of a table of all that have names.
template <class V>
struct NamedValue {
    V value;
    std::string_view name;
};

/// The name of a value. Throws std::logic_error when the table has none.
template <class Table, class V>
std::string_view name_in(const Table& table, V value) {
    for (const NamedValue<V>& each : table) {
        if (each.value == value) return each.name;
    }
    throw std::logic_error("name_in: a value without a name");
}

/// The value of that name, if there is one.
template <class V, std::size_t n>
std::optional<V> value_in(const std::array<NamedValue<V>, n>& table, std::string_view name) {
    for (const NamedValue<V>& each : table) {
        if (each.name == name) return each.value;
    }
    return std::nullopt;
}

}  // namespace narrows
