#pragma once

#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// Whether `workload` is a collective of which there are several algorithms.
bool has_algorithms(const Workload& workload);

/// The fastest algorithm of a collective from 1 B to 64 MiB, with the sizes at which another one overtakes it, to a
/// byte.
Document tuned_collective(const Workload& workload, const WorkloadWords& words, const Machine& machine);

}  // namespace narrows
