#pragma once

#include "cli/table.hpp"
#include "model/machine.hpp"

namespace narrows {

/// A parameter's value in a table: in its own unit, or its text; CSV has it in base units, with the unit beside it.
TableColumn value_column();
TableCell value_cell(const Parameter& parameter);

/// Its 95 % interval; nothing for a reader where there is none.
TableColumn interval_column();
TableCell interval_cell(const Parameter& parameter);

}  // namespace narrows
