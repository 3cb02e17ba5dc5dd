#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/cell_values.hpp"
#include "data/published_cells.hpp"

namespace narrows {

/// One published number beside the computed one.
struct Cell {
    std::string item;  ///< "Table 3", "Figure 12", "(4)", "Section 6.1"
    std::string row;
    std::string column;
    std::string published;           ///< as printed; empty when the paper gives the equation only
    std::optional<double> computed;  ///< nothing where the paper does not pin the number down
    std::string status;              ///< match, consistent, explained, off, measured, computed, open
    std::string note;

    std::optional<double> published_value() const;
    std::optional<double> relative_error() const;
};

/// Whether the computed value stands for the printed one: within `tolerance`, or equal once rounded to its digits where
/// those are two or more (leading zeros are none).
bool agrees(const std::string& published, double computed, double tolerance = 0.005);

/// The cells of a paper, computed afresh in this language; `told` hears which part of them, 0 to 1, is done.
std::vector<Cell> reproduce(
    const PublishedCells& paper, const CellLanguage& language, const std::function<void(double)>& told = [](double) {});

}  // namespace narrows
