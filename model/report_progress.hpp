#pragma once

#include <functional>

namespace narrows {

/// Is told by long work how much of it is done, 0 to 1; may be empty.
using ReportProgress = std::function<void(double fraction)>;

}  // namespace narrows
