// In place of ranks/cores.cpp where there is no hwloc: every processor counts, whether or not it shares a core.
#include <sched.h>

#include <algorithm>
#include <vector>

#include "calibrate/ranks/cores.hpp"

/// The processors that this process may use: hwloc's own stands for a whole machine.
struct hwloc_topology {
    std::vector<int> processors;
};

namespace narrows {

Cores::Cores() : hardware_(new hwloc_topology, [](hwloc_topology* one) { delete one; }) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
        if (CPU_ISSET(processor, &allowed)) hardware_->processors.push_back(processor);
    }
}

int Cores::count() const {
    return std::max(1, static_cast<int>(hardware_->processors.size()));
}

bool Cores::pin_this_thread(int core) const {
    if (hardware_->processors.empty()) return false;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(hardware_->processors[static_cast<std::size_t>(core % count())], &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

}  // namespace narrows
