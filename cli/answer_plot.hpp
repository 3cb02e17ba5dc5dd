#pragma once

#include "cli/document.hpp"
#include "cli/variable.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// What an axis along a variable is called.
std::string axis_label(const Variable& variable);

/// A picture along a variable, without a line yet.
Plot plot_along(const Variable& variable, const std::string& title, const Figures& figures);

/// A picture without a point yet, titled as `first`; `x_names` as Plot has them.
Plot plot_of_answers(const Answer& first, const std::string& x_label, std::vector<std::string> x_names = {});

/// One more point of a curve: a prediction with its interval.
void add_to_curve(Plot& plot, const std::string& name, double x, const Answer& answer);

/// One more prediction, at x: a rate below its bounds, or a time as the sum of its terms, or beside these as `terms`.
void add_to_plot(Plot& plot, double x, const Answer& answer, Look terms = Look::term);

}  // namespace narrows
