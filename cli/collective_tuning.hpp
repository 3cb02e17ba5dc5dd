#pragma once

#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// `Workload::tuned`: the fastest algorithm of a collective from 1 B to 64 MiB, with the sizes at which another one
/// overtakes it, to a byte.
Document tuned_collective(const Workload& workload, const WorkloadWords& words, const Machine& machine);

}  // namespace narrows
