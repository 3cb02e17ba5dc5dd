#include "calibrate/ranks/mapping.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "calibrate/ranks/memory_limits.hpp"
#include "calibrate/ranks/sanitizer.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

[[noreturn]] void refuse(const char* doing, std::size_t bytes, const char* remedy) {
    const int error = errno;
    throw InputError(fmt::format("the system refuses to {} {:.0f} MiB of memory ({}) with {:.0f} MiB free: {}", doing,
                                 mebibytes(bytes), std::generic_category().message(error),
                                 mebibytes(available_memory()), remedy));
}

Mapping::Block map_block(std::size_t bytes, PageSize pages) {
    Mapping::Block made;
    made.size = bytes;
    made.mapped_bytes = bytes + large_page;
    made.mapped =
        mmap(nullptr, made.mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made.mapped == MAP_FAILED) return {};
    const auto address = reinterpret_cast<std::uintptr_t>(made.mapped);
    const std::size_t skip = (large_page - address % large_page) % large_page;
    made.data = static_cast<std::byte*>(made.mapped) + skip;
    made.pages = pages;
    // Advice only: a kernel without large pages still gives right answers, more slowly.
    madvise(made.data, made.size, pages == PageSize::large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return made;
}

void unmap_block(const Mapping::Block& block) {
    munmap(block.mapped, block.mapped_bytes);
}

struct KeptBlocks {
    std::mutex mutex;
    std::vector<Mapping::Block> blocks;
    std::size_t bytes = 0;
    std::size_t most_bytes = 0;
};

KeptBlocks& kept_blocks() {
    static KeptBlocks only;
    return only;
}

// With the kept blocks locked.
std::vector<Mapping::Block>::iterator smallest_kept() {
    auto& blocks = kept_blocks().blocks;
    return std::ranges::min_element(blocks, {}, &Mapping::Block::size);
}

// With the kept blocks locked.
void release_smallest_kept() {
    const auto block = smallest_kept();
    unmap_block(*block);
    kept_blocks().bytes -= block->size;
    kept_blocks().blocks.erase(block);
}

// An empty block where none is kept that serves.
Mapping::Block take_kept(std::size_t bytes, PageSize pages, Contents contents) {
    const std::lock_guard lock(kept_blocks().mutex);
    auto& blocks = kept_blocks().blocks;
    auto best = blocks.end();
    for (auto each = blocks.begin(); each != blocks.end(); ++each) {
        // None so large that it is missed where it is needed.
        const bool serves = pages == PageSize::large && each->size >= bytes && each->size < 4 * bytes;
        if (serves && (best == blocks.end() || each->size < best->size)) best = each;
    }
    if (best == blocks.end()) {
        while (!blocks.empty() && bytes > free_memory() / 4 * 3) release_smallest_kept();
        return {};
    }
    const Mapping::Block taken = *best;
    blocks.erase(best);
    kept_blocks().bytes -= taken.size;
    if (contents == Contents::zeros) std::memset(taken.data, 0, bytes);
    return taken;
}

// Whether it is kept.
bool keep_block(const Mapping::Block& block) {
    const std::lock_guard lock(kept_blocks().mutex);
    // Where small pages lie in the machine's memory is a matter of chance: each run has its own. Updates of 8 GiB that
    // a virtual machine has had for long may take half as long as in memory that has just come, as a program's has.
    constexpr std::size_t most_kept = std::size_t{2} << 30;
    const std::size_t most = std::min(most_kept, kept_blocks().most_bytes);
    if (block.pages == PageSize::small || block.has_protected || block.size > most) return false;
    const auto has_room = [&block] { return kept_blocks().bytes + block.size <= kept_blocks().most_bytes; };
    while (!has_room() && smallest_kept()->size < block.size) release_smallest_kept();
    if (!has_room()) return false;
    kept_blocks().blocks.push_back(block);
    kept_blocks().bytes += block.size;
    return true;
}

void release_all_kept() {
    const std::lock_guard lock(kept_blocks().mutex);
    while (!kept_blocks().blocks.empty()) release_smallest_kept();
}

}  // namespace

KeptMemory::KeptMemory(std::size_t most_bytes) {
    const std::lock_guard lock(kept_blocks().mutex);
    outer_bytes_ = kept_blocks().most_bytes;
    kept_blocks().most_bytes = std::max(most_bytes, outer_bytes_);
}

KeptMemory::~KeptMemory() {
    const std::lock_guard lock(kept_blocks().mutex);
    kept_blocks().most_bytes = outer_bytes_;
    while (kept_blocks().bytes > outer_bytes_) release_smallest_kept();
}

std::size_t KeptMemory::kept_bytes() {
    const std::lock_guard lock(kept_blocks().mutex);
    return kept_blocks().bytes;
}

Mapping::Mapping(std::size_t bytes, PageSize pages, Contents contents) {
    const std::size_t rounded = (bytes + large_page - 1) / large_page * large_page;
    block_ = take_kept(rounded, pages, contents);
    if (block_.mapped == nullptr) block_ = map_block(rounded, pages);
    if (block_.mapped == nullptr) {  // a limit, perhaps, that what is kept has reached
        release_all_kept();
        block_ = map_block(rounded, pages);
    }
    if (block_.mapped == nullptr) {
        refuse("give", rounded + large_page,
               "ask for smaller tables or messages or fewer ranks, or raise the limit (ulimit -v)");
    }
}

Mapping::Mapping(Mapping&& other) noexcept : block_(std::exchange(other.block_, {})) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
}

Mapping::~Mapping() {
    if (block_.mapped == nullptr) return;
    forget_frames(block_.mapped, block_.mapped_bytes);
    if (!keep_block(block_)) unmap_block(block_);
}

void Mapping::protect(std::size_t offset, std::size_t bytes) {
    block_.has_protected = true;
    if (mprotect(block_.data + offset, bytes, PROT_NONE) != 0)
        refuse("protect a part of", block_.mapped_bytes, "ask for fewer ranks, or raise vm.max_map_count");
}

std::size_t available_memory() {
    const std::size_t kept = KeptMemory::kept_bytes();
    return std::min({free_memory(), left_by_process_limits(), left_by_control_groups()}) + kept;
}

void touch_pages(std::byte* from, const std::byte* to) {
    constexpr std::ptrdiff_t page = 4096;
    for (std::ptrdiff_t at = 0; at < to - from; at += page) {
        volatile std::byte& byte = from[at];
        byte = byte;
    }
}

}  // namespace narrows
