#pragma once

#include "cli/document.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// `Workload::tuned` of a workload file: its times by these grids of its ranks, the shortest first. InputError for a
/// grid among the words.
Document tuned_grid(const Workload& workload, const WorkloadWords& words, const Machine& machine,
                    const std::vector<std::string>& grids);

}  // namespace narrows
