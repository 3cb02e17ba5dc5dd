#pragma once

#include <string>

#include "cli/document.hpp"

namespace narrows {

/// What gnuplot is told to draw the plot, behind the choice of its terminal. No text of the plot is a command.
std::string plot_script(const Plot& plot);

}  // namespace narrows
