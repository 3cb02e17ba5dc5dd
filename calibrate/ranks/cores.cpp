#include "calibrate/ranks/cores.hpp"

#include <hwloc.h>

#include <algorithm>
#include <stdexcept>

namespace narrows {

struct Cores::Topology {
    hwloc_topology_t handle = nullptr;
};

Cores::Cores() : topology_(std::make_unique<Topology>()) {
    if (hwloc_topology_init(&topology_->handle) != 0) throw std::runtime_error("hwloc cannot read this machine");
    if (hwloc_topology_load(topology_->handle) != 0) {
        hwloc_topology_destroy(topology_->handle);
        throw std::runtime_error("hwloc cannot read this machine");
    }
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology_->handle, allowed, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_topology_restrict(topology_->handle, allowed, 0);
    }
    hwloc_bitmap_free(allowed);
}

Cores::~Cores() {
    hwloc_topology_destroy(topology_->handle);
}

int Cores::count() const {
    return std::max(1, hwloc_get_nbobjs_by_type(topology_->handle, HWLOC_OBJ_CORE));
}

bool Cores::pin_this_thread(int core) const {
    const hwloc_obj_t object =
        hwloc_get_obj_by_type(topology_->handle, HWLOC_OBJ_CORE, static_cast<unsigned>(core % count()));
    if (object == nullptr) return false;
    hwloc_bitmap_t cpus = hwloc_bitmap_dup(object->cpuset);
    hwloc_bitmap_singlify(cpus);
    const bool bound = hwloc_set_cpubind(topology_->handle, cpus, HWLOC_CPUBIND_THREAD) == 0;
    hwloc_bitmap_free(cpus);
    return bound;
}

}  // namespace narrows
