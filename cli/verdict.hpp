#pragma once

#include <optional>
#include <string>

#include "cli/workload.hpp"

namespace narrows {

/// After over before; a time that was nothing and still is has not changed, and one that was nothing has no ratio.
std::optional<double> ratio(double before, double after);
TableCell ratio_cell(double before, double after);

/// The bound or term of that name; a term that is left out takes no time.
std::optional<double> value_of(const Answer& answer, const std::string& name);

/// How a result and what holds it back have moved, in words.
std::string verdict(const Answer& before, const Answer& after);

}  // namespace narrows
