#include "calibrate/ranks/memory_limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>

namespace narrows {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// Of which the process has taken so many pages.
std::size_t left_by_limit(__rlimit_resource limit, std::size_t pages_taken) {
    rlimit most{};
    if (getrlimit(limit, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return no_limit;
    const std::size_t taken = pages_taken * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return most.rlim_cur > taken ? most.rlim_cur - taken : 0;
}

// The number after this word in a file of words with numbers; 0 without it.
std::size_t number_after(std::string_view wanted, const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string word;
    std::size_t number = 0;
    while (file >> word >> number) {
        if (word == wanted) return number;
    }
    return 0;
}

// What a control group of the second version, or of the first, leaves.
std::size_t left_by_group(const std::filesystem::path& group, bool second) {
    std::size_t limit = 0, taken = 0;
    std::ifstream limit_file(group / (second ? "memory.max" : "memory.limit_in_bytes"));
    std::ifstream taken_file(group / (second ? "memory.current" : "memory.usage_in_bytes"));
    if (!(limit_file >> limit) || !(taken_file >> taken)) return no_limit;  // `max`, or no such group
    taken -= std::min(taken, number_after(second ? "inactive_file" : "total_inactive_file", group / "memory.stat"));
    return limit > taken ? limit - taken : 0;
}

}  // namespace

std::size_t free_memory() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::size_t kibibytes = 0;
    std::string unit;
    while (file >> key >> kibibytes) {
        if (key == "MemAvailable:") return kibibytes * 1024;
        std::getline(file, unit);
    }
    const long pages = sysconf(_SC_AVPHYS_PAGES);
    const long bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes) : 0;
}

std::size_t left_by_process_limits() {
    std::ifstream file("/proc/self/statm");
    std::size_t all = 0, resident = 0, shared = 0, code = 0, unused = 0, data = 0;
    file >> all >> resident >> shared >> code >> unused >> data;
    return std::min(left_by_limit(RLIMIT_AS, all), left_by_limit(RLIMIT_DATA, data));
}

std::size_t left_by_control_groups(const std::string& groups, const std::string& root) {
    std::ifstream file(groups);
    std::size_t left = no_limit;
    for (std::string line; std::getline(file, line);) {  // `4:memory:/job_7`, `0::/job_7`
        const std::size_t controllers = line.find(':') + 1;
        const std::size_t path = line.find(':', controllers) + 1;
        if (controllers == 0 || path == 0) continue;
        const std::string names = "," + line.substr(controllers, path - 1 - controllers) + ",";
        const bool second = names == ",,";
        if (!second && names.find(",memory,") == std::string::npos) continue;
        const std::filesystem::path top = std::filesystem::path(root) / (second ? "" : "memory");
        auto group = std::filesystem::path(line.substr(path)).lexically_normal().relative_path();
        for (; !group.empty(); group = group.parent_path()) left = std::min(left, left_by_group(top / group, second));
        left = std::min(left, left_by_group(top, second));
    }
    return left;
}

}  // namespace narrows
