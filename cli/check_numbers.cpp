#include "cli/check_numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace narrows {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& place, const char* what) {
    throw std::runtime_error(fmt::format(
        "the result is not printed because {} is {}: check the input for numbers that are far too large or too "
        "small, and the clock of this machine where something was measured",
        place, what));
}

bool is_infinite(const auto& json) {
    return json.is_number_float() && !std::isfinite(json.template get<double>());
}

// What no time and no rate can be.
bool is_below_zero(const Json& object, const std::string& key, const Json& member) {
    if (!member.is_number() || member.get<double>() >= 0) return false;
    const auto unit = object.find("unit");
    const bool measured =
        unit != object.end() && unit->is_string() && (*unit == "s" || *unit == "1/s" || *unit == "B/s");
    return key.ends_with("seconds") || (measured && key == "value");
}

void check(const Json& json, const std::string& place) {
    if (is_infinite(json)) fail(place, "not finite");
    if (!json.is_structured()) return;
    for (const auto& [key, member] : json.items()) {
        const std::string here = place.empty() ? key : fmt::format("{}.{}", place, key);
        if (json.is_object() && is_below_zero(json, key, member)) fail(here, "below zero");
        check(member, here);
    }
}

void check(const Table& table) {
    for (const auto& row : table.rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            for (const auto& value : row[column].values) {
                if (is_infinite(value))
                    fail(fmt::format("'{}' of a table", table.header.at(column).name), "not finite");
            }
        }
    }
}

}  // namespace

void check_numbers(const Document& document) {
    check(document.json, "");
    for (const Table& table : document.tables) check(table);
    if (document.csv) check(*document.csv);
    for (const Document& section : document.sections) check_numbers(section);
}

}  // namespace narrows
