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

/// The program of a workload file on one rank a processor or fewer, by any protocol: its options from a thousandth of
/// their usual values on, smaller where a run would take longer than half a second; phases that overlap by the file one
/// after the other, as runs have them. `name` as `load_program` takes it.
ValidatedWorkload validated_program(const std::string& name);

/// What a validation knows of the kernel of that name, or of that file. InputError with a suggestion when there is
/// none.
ValidatedWorkload validated_workload(const Repertoire& known, const std::string& name);

}  // namespace narrows
