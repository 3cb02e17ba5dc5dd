#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/formats.hpp"

namespace narrows {

/// Results over two variables, each with what holds it back.
struct HeatMap {
    struct Cell {
        double value = 0;  ///< above zero; zero where there is none
        std::string region;
    };
    std::string title;
    std::string x_label;
    std::string y_label;
    std::string value_label;
    std::vector<std::string> columns;  ///< values along x, for readers
    std::vector<std::string> rows;
    std::optional<double> now_at_x{};  ///< of factors: between which columns 1 lies, counted from 0
    std::optional<double> now_at_y{};
    std::vector<Cell> cells = {};  ///< row by row, from the lowest
};

/// Draws it with gnuplot: lighter is more, lines part the regions, each of which has its name. InputError when gnuplot
/// is not there.
std::string format_heat_map(const HeatMap& map, Picture kind);

}  // namespace narrows
