#pragma once

#include "cli/table.hpp"

namespace narrows {

/// What a run counted as CSV has it: its result, its seconds and its counters, a row each. `run` is the JSON of `run`;
/// a counter that is no single value is left out.
Table counters_csv(const nlohmann::ordered_json& run);

}  // namespace narrows
