#pragma once

#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// The times of a workload file by all grids of its ranks, the shortest first. InputError for a grid among the words.
Document tuned_grid(const Workload& workload, const WorkloadWords& words, const Machine& machine);

}  // namespace narrows
