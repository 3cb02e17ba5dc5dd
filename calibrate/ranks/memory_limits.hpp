#pragma once

#include <cstddef>
#include <string>

namespace narrows {

/// Bytes of memory that the kernel says can be had without swapping (`MemAvailable`).
std::size_t free_memory();

/// Bytes that the limits of this process (`ulimit -v` and `-d`) leave it.
std::size_t left_by_process_limits();

/// Bytes that the control groups of this process leave it, as batch systems and containers set them: of its group and
/// those above the least of limit less what is taken, cached files apart. The largest number where none has a limit.
/// `groups` is the list of the process' groups, `root` where the kernel shows groups, of either version.
std::size_t left_by_control_groups(const std::string& groups = "/proc/self/cgroup",
                                   const std::string& root = "/sys/fs/cgroup");

}  // namespace narrows
