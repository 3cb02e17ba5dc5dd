#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/table.hpp"

namespace narrows {

/// A curve of a plot; points that are not positive are left out, since both axes are logarithmic.
struct Series {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
    bool points = false;        ///< drawn as points (measurements) instead of a line
    bool hollow = false;        ///< of points: rings, for those that are set apart
    std::vector<double> low{};  ///< ends of intervals, bars of points and a band of a line; empty for none
    std::vector<double> high{};
};

struct Plot {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<Series> series;
    bool x_is_bytes = false;  ///< ticks such as 1 KiB
};

/// What a command found, in every form in which it can be printed.
struct Document {
    nlohmann::ordered_json json;     ///< SI base units, full precision; `schema` and `command` first
    std::vector<std::string> notes;  ///< lines for a human reader, above the tables
    std::vector<Table> tables;
    std::optional<Table> csv{};        ///< what CSV prints instead of the first table
    std::vector<std::string> remarks;  ///< lines for a human reader, below the tables
    std::optional<Plot> plot;
};

/// The JSON that every command starts from.
inline nlohmann::ordered_json json_of(const std::string& command) {
    return {{"schema", 1}, {"command", command}};
}

}  // namespace narrows
