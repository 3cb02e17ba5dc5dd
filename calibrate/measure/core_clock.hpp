#pragma once

#include <optional>

#include "calibrate/measure/order_statistics.hpp"

namespace narrows {

/// The clock of the core that this thread runs on, in Hz: additions that wait for each other take a cycle each. The
/// median of many short measurements, each the shorter the less of it another program can take. Nothing on processors
/// other than x86-64 and AArch64. Takes about 10 ms.
std::optional<OrderEstimate> core_clock();

}  // namespace narrows
