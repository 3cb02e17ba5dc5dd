#pragma once

#include <string>
#include <vector>

#include "cli/kernel.hpp"
#include "cli/workload.hpp"

namespace narrows {

/// The workloads that are predicted and the kernels that run: commands loop over them, in this order, and nothing else
/// knows their names.
struct Repertoire {
    std::vector<Workload> workloads;
    std::vector<Kernel> kernels;

    /// Null where there is none of that name.
    const Workload* workload(const std::string& name) const;
    /// The same by name or alias.
    const Kernel* kernel(const std::string& name) const;
};

/// What a validation knows of the kernel of that name, or of that file. InputError with a suggestion when there is
/// none.
ValidatedWorkload validated_workload(const Repertoire& known, const std::string& name);

}  // namespace narrows
