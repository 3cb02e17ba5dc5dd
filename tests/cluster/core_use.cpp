#include "tests/cluster/core_use.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace narrows::cluster {

namespace {

/// Ticks that a process and those it has waited for have had; what ends is its parent's from then on, so that the sum
/// over all loses nothing. Nothing of the kernel's threads, which forward what the run sends.
double ticks_of(const std::filesystem::path& process) {
    std::ifstream file(process / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos) return 0;  // it has ended
    std::istringstream rest(line.substr(name_end + 1));
    std::string state;
    unsigned long flags = 0;
    double skipped = 0, ticks = 0;
    rest >> state;
    constexpr int before_flags = 5, before_times = 4, times = 4;
    for (int i = 0; i < before_flags; ++i) rest >> skipped;
    rest >> flags;
    for (int i = 0; i < before_times; ++i) rest >> skipped;
    for (int i = 0; i < times; ++i) {
        double value = 0;
        rest >> value;
        ticks += value;
    }
    constexpr unsigned long kernel_thread = 0x00200000;
    return (flags & kernel_thread) != 0 ? 0 : ticks;
}

double ticks_of_others() {
    const std::string own = std::to_string(getpid());
    double ticks = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
        const std::string name = entry.path().filename();
        if (std::isdigit(static_cast<unsigned char>(name.front())) != 0 && name != own) ticks += ticks_of(entry.path());
    }
    return ticks;
}

}  // namespace

CoreUse core_use() {
    std::ifstream file("/proc/stat");
    std::string word;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, deferred = 0, stolen = 0;
    if (!(file >> word >> user >> nice >> system >> idle >> waiting >> interrupts >> deferred >> stolen)) {
        throw std::runtime_error("cannot read /proc/stat");
    }
    const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    return {wall, stolen * tick, (idle + waiting) * tick, ticks_of_others() * tick};
}

CoreShares shares_between(const CoreUse& before, const CoreUse& after) {
    const double whole = (after.wall - before.wall) * std::max(1U, std::thread::hardware_concurrency());
    if (whole <= 0) return {};
    const double others = after.others - before.others + after.stolen - before.stolen;
    return {std::max(0.0, others / whole), std::min(1.0, (after.idle - before.idle) / whole)};
}

std::string verdict(const CoreShares& shares) {
    constexpr double most_of_others = 0.05;
    constexpr double least_idle = 0.1;
    if (shares.others > most_of_others) return "busy";
    return shares.idle < least_idle ? "saturated" : "quiet";
}

}  // namespace narrows::cluster
