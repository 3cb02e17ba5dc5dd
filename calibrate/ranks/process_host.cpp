#include "calibrate/ranks/process_host.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

namespace narrows {

ProcessHost ProcessHost::own() {
    ProcessHost host;
    std::string boot;
    if (std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot) && !boot.empty()) {
        std::memcpy(host.boot.data(), boot.data(), std::min(boot.size(), host.boot.size() - 1));
    } else {
        gethostname(host.boot.data(), host.boot.size() - 1);
    }
    // A host of more processors than a set has room for refuses to say: as many as there is room for.
    if (sched_getaffinity(0, sizeof host.processors, &host.processors) != 0) {
        std::memset(&host.processors, 0xff, sizeof host.processors);
    }
    return host;
}

bool outnumber_processors(const std::vector<ProcessHost>& processes, const ProcessHost& host) {
    int here = 0;
    cpu_set_t all;
    CPU_ZERO(&all);
    for (const ProcessHost& process : processes) {
        if (process.boot != host.boot) continue;
        ++here;
        CPU_OR(&all, &all, &process.processors);
    }
    return here > CPU_COUNT(&all);
}

}  // namespace narrows
