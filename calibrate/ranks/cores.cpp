#include "calibrate/ranks/cores.hpp"

#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <stdexcept>

namespace narrows {
namespace {

/// Of this machine, or of the one that a text makes up.
Hardware read_hardware(const char* synthetic) {
    hwloc_topology_t read = nullptr;
    if (hwloc_topology_init(&read) == 0) {
        Hardware hardware(read, &hwloc_topology_destroy);
        const bool taken = synthetic == nullptr || hwloc_topology_set_synthetic(read, synthetic) == 0;
        if (taken && hwloc_topology_load(read) == 0) return hardware;
    }
    throw std::runtime_error("hwloc cannot read this machine");
}

Hardware copy_of(hwloc_topology_t other) {
    hwloc_topology_t copy = nullptr;
    if (hwloc_topology_dup(&copy, other) != 0) throw std::runtime_error("hwloc cannot copy what it read");
    return {copy, &hwloc_topology_destroy};
}

hwloc_obj_t core_of(const Hardware& hardware, int number) {
    return hwloc_get_obj_by_type(hardware.get(), HWLOC_OBJ_CORE, static_cast<unsigned>(number));
}

std::string name_of(hwloc_obj_t object) {
    std::array<char, 32> text{};
    hwloc_obj_type_snprintf(text.data(), text.size(), object, 0);
    std::string name(text.data());
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return name;
}

}  // namespace

hwloc_topology* this_hardware() {
    static const Hardware all = read_hardware(nullptr);
    return all.get();
}

Cores::Cores() : hardware_(copy_of(this_hardware())) {
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(hardware_.get(), allowed, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_topology_restrict(hardware_.get(), allowed, 0);
    }
    hwloc_bitmap_free(allowed);
}

Cores::Cores(const std::string& synthetic) : hardware_(read_hardware(synthetic.c_str())) {}

int Cores::count() const {
    return std::max(1, hwloc_get_nbobjs_by_type(hardware_.get(), HWLOC_OBJ_CORE));
}

bool Cores::pin_this_thread(int core) const {
    const hwloc_obj_t object = core_of(hardware_, core % count());
    if (object == nullptr) return false;
    hwloc_bitmap_t cpus = hwloc_bitmap_dup(object->cpuset);
    hwloc_bitmap_singlify(cpus);
    const bool bound = hwloc_set_cpubind(hardware_.get(), cpus, HWLOC_CPUBIND_THREAD) == 0;
    hwloc_bitmap_free(cpus);
    return bound;
}

std::vector<CorePair> Cores::pairs() const {
    std::map<int, CorePair> by_depth;  // of what both are part of
    for (int first = 0; first < count(); ++first) {
        for (int second = first + 1; second < count(); ++second) {
            const hwloc_obj_t shared =
                hwloc_get_common_ancestor_obj(hardware_.get(), core_of(hardware_, first), core_of(hardware_, second));
            by_depth.try_emplace(-shared->depth, CorePair{name_of(shared), first, second});
        }
    }
    std::vector<CorePair> nearest_first;
    for (auto& [depth, pair] : by_depth) nearest_first.push_back(std::move(pair));
    return nearest_first;
}

}  // namespace narrows
