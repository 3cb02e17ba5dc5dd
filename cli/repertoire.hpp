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

/// The names of those records that have the member, or where it is true: `names_with(known.kernels, &Kernel::run)`.
template <class Record, class Member>
std::vector<std::string> names_with(const std::vector<Record>& records, Member Record::*member) {
    std::vector<std::string> names;
    for (const Record& one : records) {
        if (static_cast<bool>(one.*member)) names.push_back(one.name);
    }
    return names;
}

/// Throws InputError where no workload or kernel, `what`, has this name: with those that have one, and workload files.
[[noreturn]] void refuse_named(const char* what, const std::string& name, std::vector<std::string> names);

/// What a validation knows of the kernel of that name, or of that file. InputError with a suggestion when there is
/// none.
ValidatedWorkload validated_workload(const Repertoire& known, const std::string& name);

}  // namespace narrows
