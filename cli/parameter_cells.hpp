#pragma once

#include <string>
#include <vector>

#include "cli/table.hpp"
#include "model/machine.hpp"

namespace narrows {

/// A parameter's value in a table: in its own unit, or its text; CSV has it in base units, with the unit beside it.
TableColumn value_column();
TableCell value_cell(const Parameter& parameter);

/// Its 95 % interval; nothing for a reader where there is none.
TableColumn interval_column();
TableCell interval_cell(const Parameter& parameter);

/// All of a machine's, a row each: value, interval, source, note.
Table parameter_table(const Machine& machine);
nlohmann::ordered_json json_of_parameter(const Parameter& parameter);

/// What the number at a place means; nothing where the schema has no such place.
std::string meaning_of(const std::string& path);

/// The places that `--set` may fill beside those that the file has: what the schema has and the machine has not.
std::vector<std::string> unset_paths(const Machine& machine);

}  // namespace narrows
