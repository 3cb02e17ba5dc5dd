#pragma once

#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// A picture without a point yet, titled as `first`; `x_names` as Plot has them.
Plot plot_of_answers(const Answer& first, const std::string& x_label, std::vector<std::string> x_names = {});

/// One more prediction, at x: a rate below its bounds, or a time as the sum of its terms.
void add_to_plot(Plot& plot, double x, const Answer& answer);

}  // namespace narrows
