#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/table.hpp"

namespace narrows {

/// How a series is drawn; each look is told from the others without colours too.
enum class Look {
    curve,   ///< a thick line; its intervals are a band
    bound,   ///< dashes with markers
    term,    ///< a part of stacked bars, the first one lowest; a `curve` beside terms has only its interval drawn
    points,  ///< measurements, dark, with bars for intervals
    rings    ///< measurements, or predictions, that are set apart
};

/// Values of a plot; those that are not positive are left out.
struct Series {
    std::string name;
    Look look = Look::curve;
    std::vector<double> x{};
    std::vector<double> y{};
    std::vector<double> low{};  ///< ends of intervals; empty for none
    std::vector<double> high{};

    void add(double at, double value) {
        x.push_back(at);
        y.push_back(value);
    }
    /// With the ends of its interval.
    void add(double at, double value, double from, double to) {
        add(at, value);
        low.push_back(from);
        high.push_back(to);
    }
};

/// A picture. An axis is logarithmic where its values multiply; bars have a linear one, of shares where they differ
/// much.
struct Plot {
    std::string title;     ///< workload and machine
    std::string x_label;   ///< with its unit
    std::string quantity;  ///< on the other axis
    std::string unit;
    std::vector<Series> series{};
    bool x_is_size = true;               ///< each value has its tick, which doubles count
    bool x_is_bytes = false;             ///< ticks such as 1 KiB
    std::vector<std::string> x_names{};  ///< ticks at 0, 1, ... instead of numbers
    std::string legend{};                ///< above the names of series, which keep their order; else as curves end

    /// The series of this name, a new one behind the others where there is none.
    Series& named(const std::string& name, Look look) {
        const auto found = std::ranges::find(series, name, &Series::name);
        return found != series.end() ? *found : series.emplace_back(Series{name, look});
    }
};

/// What a command found, in every form in which it can be printed.
struct Document {
    nlohmann::ordered_json json{};  ///< SI base units, full precision; `schema` and `command` first; not of a section
    std::vector<std::string> notes{};  ///< lines for a human reader, above the tables
    std::vector<Table> tables{};
    std::optional<Table> csv{};          ///< what CSV prints instead of the first table
    std::vector<std::string> remarks{};  ///< lines for a human reader, below the tables
    std::optional<Plot> plot{};
    std::string title{};               ///< of a page and of a section
    std::vector<Document> sections{};  ///< parts with a title of their own, below the remarks
};

/// The JSON that every command starts from.
inline nlohmann::ordered_json json_of(const std::string& command) {
    return {{"schema", 1}, {"command", command}};
}

/// The `result` of a command, in SI units; ends of its interval that are not known are null.
inline nlohmann::ordered_json json_of_result(const char* quantity, const char* unit, nlohmann::ordered_json value,
                                             nlohmann::ordered_json low = nullptr,
                                             nlohmann::ordered_json high = nullptr) {
    return {{"quantity", quantity},
            {"unit", unit},
            {"value", std::move(value)},
            {"low", std::move(low)},
            {"high", std::move(high)}};
}

/// The value, or null.
template <class Value>
nlohmann::ordered_json json_or_null(const std::optional<Value>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace narrows
