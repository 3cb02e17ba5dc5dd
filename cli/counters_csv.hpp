#pragma once

#include "cli/table.hpp"

namespace narrows {

/// What a run counted as CSV has it: its result, its seconds and its counters, a row each. `run` is the JSON of `run`;
/// a counter that is no single value is left out.
Table counters_csv(const nlohmann::ordered_json& run);

/// Counters for a reader, a row each, fractions with so many digits; those that are null are left out.
Table counters_table(const nlohmann::ordered_json& counters, int digits = 4);

}  // namespace narrows
