#include "calibrate/ranks/cores.hpp"

#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <stdexcept>

namespace narrows {

struct Cores::Topology {
    // Of this machine, or of the one that a text makes up.
    explicit Topology(const char* synthetic) {
        if (hwloc_topology_init(&handle) != 0) throw std::runtime_error("hwloc cannot read this machine");
        const bool taken = synthetic == nullptr || hwloc_topology_set_synthetic(handle, synthetic) == 0;
        if (taken && hwloc_topology_load(handle) == 0) return;
        hwloc_topology_destroy(handle);
        throw std::runtime_error("hwloc cannot read this machine");
    }
    // A copy of another one.
    Topology(const Topology& other) {
        if (hwloc_topology_dup(&handle, other.handle) != 0) throw std::runtime_error("hwloc cannot copy what it read");
    }
    ~Topology() { hwloc_topology_destroy(handle); }
    Topology& operator=(const Topology&) = delete;

    hwloc_obj_t core(int number) const {
        return hwloc_get_obj_by_type(handle, HWLOC_OBJ_CORE, static_cast<unsigned>(number));
    }

    hwloc_topology_t handle = nullptr;
};

namespace {

std::string name_of(hwloc_obj_t object) {
    std::array<char, 32> text{};
    hwloc_obj_type_snprintf(text.data(), text.size(), object, 0);
    std::string name(text.data());
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
}

}  // namespace

// The system's description of the machine is read once, which takes 6 to 20 ms, longer than many a run.
Cores::Cores() {
    static const Topology all(nullptr);
    topology_ = std::make_unique<Topology>(all);
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology_->handle, allowed, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_topology_restrict(topology_->handle, allowed, 0);
    }
    hwloc_bitmap_free(allowed);
}

Cores::Cores(const std::string& synthetic) : topology_(std::make_unique<Topology>(synthetic.c_str())) {}

Cores::~Cores() = default;

int Cores::count() const {
    return std::max(1, hwloc_get_nbobjs_by_type(topology_->handle, HWLOC_OBJ_CORE));
}

bool Cores::pin_this_thread(int core) const {
    const hwloc_obj_t object = topology_->core(core % count());
    if (object == nullptr) return false;
    hwloc_bitmap_t cpus = hwloc_bitmap_dup(object->cpuset);
    hwloc_bitmap_singlify(cpus);
    const bool bound = hwloc_set_cpubind(topology_->handle, cpus, HWLOC_CPUBIND_THREAD) == 0;
    hwloc_bitmap_free(cpus);
    return bound;
}

std::vector<CorePair> Cores::pairs() const {
    std::map<int, CorePair> by_depth;  // of what both are part of
    for (int first = 0; first < count(); ++first) {
        for (int second = first + 1; second < count(); ++second) {
            const hwloc_obj_t shared =
                hwloc_get_common_ancestor_obj(topology_->handle, topology_->core(first), topology_->core(second));
            by_depth.try_emplace(-shared->depth, CorePair{name_of(shared), first, second});
        }
    }
    std::vector<CorePair> nearest_first;
    for (auto& [depth, pair] : by_depth) nearest_first.push_back(std::move(pair));
    return nearest_first;
}

}  // namespace narrows
