#pragma once

#include <string_view>

#include "model/gups/workload.hpp"
#include "model/prediction.hpp"

namespace narrows {

inline constexpr double micro = 1e-6;
inline constexpr double nano = 1e-9;

/// The query for `nodes` nodes, everything else at the machine's defaults.
GupsQuery gups_query(GupsCode variant, std::int64_t nodes);

/// The limit that `resource` sets. Fails the test when the prediction has no such bound.
Rate limit_of(const Prediction& prediction, std::string_view resource);

/// The time of the term `name`, zero when there is none.
Time term_of(const Prediction& prediction, std::string_view name);

/// Checks what every prediction promises: it is not above its tightest bound, which is its bottleneck, its terms are
/// positive and sum to `workers / rate`.
void check_consistent(const Prediction& prediction);

}  // namespace narrows
