#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "model/program/program.hpp"
#include "model/residual_surface.hpp"
#include "model/time_prediction.hpp"

namespace narrows {

/// What all ranks compute once in a phase, as many on each node.
///
/// Statement: t = k time + ((k F)^p + S^p)^(1/p), F = flops / r, S = R memory / B or k (memory / 64 B) c(k memory / 2);
///            the operations and memory as long as measured runs say, where the machine has some.
/// Symbols:   r flops a second of a processor (`compute.flops`), B of a node's memory (`node.memory.bandwidth`), R its
///            ranks; c time of a line by what a processor works on (`compute.memory`), where it is known; k ranks that
///            take turns on a processor; p = ln 2 / ln b with b of `compute.balanced`, or the longer of the two alone.
/// Source:    derived.
/// Range:     ranks that compute at the same time, of which none has a core to itself that others leave.
/// Test:      tests/model/program/test_computing.cpp
TimePrediction computing_time(const Machine& machine, const PhaseWork& phase, std::int64_t ranks_per_node);

/// The name of what calibrations measure of it.
inline const std::string computing_residuals = "computing";

/// What the time of operations and memory follows, beyond what its formula has.
std::vector<ResidualVariable> computing_variables(const Machine& machine, const PhaseWork& phase,
                                                  std::int64_t ranks_per_node);

}  // namespace narrows
