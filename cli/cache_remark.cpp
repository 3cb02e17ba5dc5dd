#include "cli/cache_remark.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace narrows {
namespace {

// The largest of the sizes measured at which the buffers of so many ranks fit in a cache; 0 where none does.
std::size_t largest_within(const MessageOptions& options, const MessageRun& run, int ranks, std::size_t cache) {
    std::size_t largest = 0;
    for (const MessagePoint& point : run.points) {
        if (ranks * buffer_bytes(options, point.bytes) <= static_cast<long double>(cache)) largest = point.bytes;
    }
    return largest;
}

}  // namespace

std::string cache_remark(const MessageOptions& options, const MessageRun& run, const CacheSizes& caches) {
    constexpr std::size_t kibi = 1024;
    if (caches.own == 0 && caches.shared == 0)
        return "Whether buffers stay in caches is not known: no cache was found.";
    const int ranks_a_core = (run.ranks + run.workers - 1) / run.workers;
    const std::size_t most = run.points.back().bytes;
    const std::size_t own = largest_within(options, run, ranks_a_core, caches.own);
    if (own == most) {
        return fmt::format("Buffers stay in a core's own cache of {} KiB from one message to the next.",
                           caches.own / kibi);
    }
    const std::size_t shared = largest_within(options, run, run.ranks, caches.shared);
    std::string remark;
    if (own > 0) remark = fmt::format("a core's own {} KiB up to {} B", caches.own / kibi, own);
    if (shared > own) {
        remark +=
            fmt::format("{}{} KiB that cores share up to {} B", own > 0 ? ", " : "", caches.shared / kibi, shared);
    }
    if (remark.empty()) return "Buffers are larger than the caches: every message goes through memory.";
    return fmt::format("From one message to the next buffers stay in caches: {}{}.", remark,
                       std::max(own, shared) == most ? "" : "; larger ones go through memory");
}

}  // namespace narrows
