#pragma once

#include <limits>

namespace narrows {

/// The bandwidth and the distance where there is no bound, such as between the parts of nothing.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace narrows
