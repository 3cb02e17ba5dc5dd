#pragma once

#include <sched.h>

#include <array>
#include <vector>

namespace narrows {

/// Where a process runs, as processes of a job tell each other. A running system has one boot, whatever host names,
/// addresses or namespaces it gives its processes.
struct ProcessHost {
    std::array<char, 40> boot{};
    cpu_set_t processors{};

    /// This process's. Where the system does not tell its boot, its host name stands for it.
    static ProcessHost own();
};

/// Whether those of `processes` that run on this host outnumber the processors that they may use together. A launcher
/// may have bound each to its own, or none.
bool outnumber_processors(const std::vector<ProcessHost>& processes, const ProcessHost& host);

}  // namespace narrows
