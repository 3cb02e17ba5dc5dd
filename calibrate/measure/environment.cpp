#include "calibrate/measure/environment.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <hwloc.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>

#include "calibrate/ranks/cores.hpp"

namespace narrows {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

void add(Facts& facts, const char* key, const std::string& value) {
    if (!value.empty()) facts.emplace_back(key, value);
}

std::string first_line(const char* file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

constexpr std::array<std::pair<const char*, hwloc_obj_type_t>, 3> cache_types = {
    {{"L1", HWLOC_OBJ_L1CACHE}, {"L2", HWLOC_OBJ_L2CACHE}, {"L3", HWLOC_OBJ_L3CACHE}}};

void add_hardware(Facts& facts) {
    hwloc_topology* const topology = this_hardware();
    const char* model = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
    if (model == nullptr) {
        const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
        model = package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, "CPUModel");
    }
    add(facts, "processor", model == nullptr ? "" : model);
    add(facts, "cores", std::to_string(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE)));
    for (const auto& [name, type] : cache_types) {
        const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
        if (cache != nullptr) add(facts, name, fmt::format("{} KiB", cache->attr->cache.size / 1024));
    }
}

void add_system(Facts& facts) {
    utsname system{};
    if (uname(&system) == 0) {
        add(facts, "host", host_name());
        add(facts, "kernel", fmt::format("{} {}", system.sysname, system.release));
    }
    add(facts, "governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    add(facts, "huge pages", first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
    double load = 0;
    if (getloadavg(&load, 1) == 1) add(facts, "load", fmt::format("{:.2f}", load));
}

}  // namespace

std::string host_name() {
    utsname system{};
    return uname(&system) == 0 ? system.nodename : "";
}

Facts describe_environment() {
    Facts facts;
    add(facts, "date", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))));
    add_hardware(facts);
    add_system(facts);
    add(facts, "compiler", __VERSION__);
    add(facts, "narrows", NARROWS_VERSION);
    return facts;
}

CacheSizes cache_sizes() {
    CacheSizes sizes;
    hwloc_topology* const topology = this_hardware();
    for (const auto& [name, type] : cache_types) {
        const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
        if (cache == nullptr) continue;
        const bool is_shared = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE) > 1;
        std::size_t& size = is_shared ? sizes.shared : sizes.own;
        size = std::max(size, static_cast<std::size_t>(cache->attr->cache.size));
    }
    return sizes;
}

}  // namespace narrows
