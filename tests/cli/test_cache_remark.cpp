#include "cli/cache_remark.hpp"

#include <catch2/catch.hpp>

namespace narrows {
namespace {

constexpr std::size_t kibi = 1024;
constexpr CacheSizes caches{1024 * kibi, 32768 * kibi};

std::string remark_on(const std::vector<std::size_t>& sizes, int ranks, const CacheSizes& found,
                      MessageKernel kernel = MessageKernel::ping_pong) {
    MessageOptions options{.kernel = kernel, .ranks = ranks};
    MessageRun run;
    run.ranks = ranks;
    run.workers = 2;
    for (const std::size_t bytes : sizes) run.points.push_back({bytes, {}});
    return cache_remark(options, run, found);
}

TEST_CASE("cache remark: buffers stay in a core's own cache only if those of all of its ranks fit") {
    CHECK(remark_on({8, 512 * kibi}, 2, caches) ==
          "Buffers stay in a core's own cache of 1024 KiB from one message to the next.");
    CHECK(remark_on({8, 4 * kibi, 512 * kibi}, 64, caches) ==
          "From one message to the next buffers stay in caches: a core's own 1024 KiB up to 4096 B; larger ones go "
          "through memory.");
}

TEST_CASE("cache remark: beyond it they stay in what cores share, then go through memory") {
    CHECK(remark_on({8, 4096 * kibi}, 2, caches) ==
          "From one message to the next buffers stay in caches: a core's own 1024 KiB up to 8 B, 32768 KiB that "
          "cores share up to 4194304 B.");
    CHECK(remark_on({4096 * kibi, 16384 * kibi}, 2, caches) ==
          "From one message to the next buffers stay in caches: 32768 KiB that cores share up to 4194304 B; larger "
          "ones go through memory.");
    CHECK(remark_on({16384 * kibi}, 2, caches) ==
          "Buffers are larger than the caches: every message goes through memory.");
}

TEST_CASE("cache remark: a matrix is a buffer too, and no cache no promise") {
    CHECK(
        remark_on({8 * kibi, 16 * kibi}, 2, caches, MessageKernel::matvec) ==
        "From one message to the next buffers stay in caches: 32768 KiB that cores share up to 8192 B; larger ones go "
        "through memory.");
    CHECK(remark_on({8}, 2, {}) == "Whether buffers stay in caches is not known: no cache was found.");
}

}  // namespace
}  // namespace narrows
