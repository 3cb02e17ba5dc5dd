#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace narrows {

/// The memory that a process's ranks let others read or write: what a device without remote memory access is asked for
/// by token, so that a peer can never name an address.
class ExposedMemory {
  public:
    struct Region {
        int rank = 0;
        std::byte* data = nullptr;
        std::size_t bytes = 0;
        /// Bytes written to it by others.
        std::size_t written = 0;
        /// Set when all of it has been written; may be nullptr.
        bool* done = nullptr;
    };

    /// Exposes memory of `rank` until `remove`. A token names it alone until its place has been used 2³²
    /// times again.
    std::uint64_t add(int rank, void* data, std::size_t bytes) {
        std::size_t index = regions_.size();
        if (free_.empty()) {
            regions_.emplace_back();
        } else {
            index = free_.back();
            free_.pop_back();
        }
        Slot& slot = regions_[index];
        slot.used = true;
        slot.region = {rank, static_cast<std::byte*>(data), bytes};
        return static_cast<std::uint64_t>(++slot.generation) << 32 | index;
    }
    void remove(std::uint64_t token) {
        const std::size_t index = token & 0xffffffff;
        regions_[index].used = false;
        free_.push_back(index);
    }
    /// The region of a token, or nullptr when there is none (any more).
    Region* find(std::uint64_t token) {
        const std::size_t index = token & 0xffffffff;
        if (index >= regions_.size()) return nullptr;
        Slot& slot = regions_[index];
        return slot.used && slot.generation == token >> 32 ? &slot.region : nullptr;
    }

  private:
    struct Slot {
        Region region;
        std::uint32_t generation = 0;
        bool used = false;
    };
    std::vector<Slot> regions_;
    std::vector<std::size_t> free_;
};

}  // namespace narrows
