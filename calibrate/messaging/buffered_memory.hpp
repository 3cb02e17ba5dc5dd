#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "calibrate/messaging/bells.hpp"
#include "calibrate/messaging/messages.hpp"
#include "calibrate/ranks/mapping.hpp"

namespace narrows {

// The memory of the buffered protocol (kumar2007, Section 3.2): for each pair of ranks a circular queue of entries,
// which one writes and the other reads without locks; for each sender an area of blocks that hold its messages.

/// Longer messages are synchronous: the sender waits until the receiver has copied them (kumar2007, Section 4).
inline constexpr std::size_t most_buffered_bytes = 2048;
/// Longer copies are made in pieces of this many bytes, as the Cell's DMA does (kumar2007, Section 3.2).
inline constexpr std::size_t copy_piece_bytes = std::size_t{16} << 10;

/// Copies in pieces of at most `copy_piece_bytes`.
void copy_in_pieces(void* to, const void* from, std::size_t bytes);
/// Copies to or from a block, whose lines come from another core in shared memory: the last line by itself, since an
/// access that spans two lines waits for both (80 to 112 bytes would take 1.6 times what 64 or 128 do).
void copy_by_lines(void* to, const void* from, std::size_t bytes);

/// The second word of an entry: what the message is. Written last and read first.
struct EntryWord {
    enum class Place : std::uint8_t { beside, block, sender };

    bool valid = true;
    /// Where the message is: in the entry's line, in a block, still at its sender.
    Place place = Place::beside;
    int tag = 0;
    std::size_t bytes = 0;

    std::uint64_t word() const {
        return static_cast<std::uint64_t>(bytes) << 24 | static_cast<std::uint64_t>(tag) << 8 |
               static_cast<std::uint64_t>(place) << 1 | (valid ? 1 : 0);
    }
    static EntryWord of(std::uint64_t word) {
        return {(word & 1) != 0, static_cast<Place>(word >> 1 & 3), static_cast<int>(word >> 8 & 0xffff),
                static_cast<std::size_t>(word >> 24)};
    }
};

/// An entry of 16 bytes, and on the same cache line the first block of the sender's area, so that a short message moves
/// with its entry.
struct alignas(64) QueueSlot {
    static constexpr std::size_t beside_bytes = 48;

    /// Where the message is.
    std::byte* place;
    std::uint64_t entry;
    std::byte beside[beside_bytes];

    std::uint64_t load() { return std::atomic_ref(entry).load(std::memory_order_acquire); }
    void store(std::uint64_t word) { std::atomic_ref(entry).store(word, std::memory_order_release); }
    /// What was sent has been received: the slot, and the block that it names, are the sender's again.
    void mark_invalid() { store(std::atomic_ref(entry).load(std::memory_order_relaxed) & ~std::uint64_t{1}); }
};

/// What a sender knows of its queue to one receiver.
struct SendingEnd {
    std::uint32_t tail;
    /// Slots from the tail on that are known to be free.
    std::uint32_t free_ahead;
    /// Without shared memory: the slots, a bit each, that the receiver has not given back.
    std::uint64_t busy;
};

/// What a receiver knows of its queue from one sender: the range to be searched.
struct ReceivingEnd {
    /// The logical front: the oldest entry not received.
    std::uint32_t front;
    /// Without shared memory: entries that have come.
    std::uint32_t filed;
    /// Entries from the front on, a bit each, that were received before those in front of them.
    std::uint64_t taken;
    /// Without shared memory: slots to be given back.
    std::uint64_t owed;
};

/// The blocks of one sender's area. It alone takes and frees them: it sees by an entry marked invalid that the receiver
/// is done with the entry's block, so that there is nothing to lock.
class BlockArea {
  public:
    /// `memory`: `blocks` blocks of `most_buffered_bytes`.
    void prepare(std::byte* memory, std::size_t blocks);
    bool prepared() const { return memory_ != nullptr; }

    /// A block for the message of `slot`, or nullptr when receivers have not yet received enough.
    std::byte* take(QueueSlot& slot);
    /// `slot`, found invalid, is about to be used again.
    void reclaim(const QueueSlot& slot);

  private:
    void collect();
    void free(std::size_t block);

    std::byte* memory_ = nullptr;
    std::vector<QueueSlot*> users_;
    std::vector<std::uint16_t> free_;
};

/// Memory that grows with the square of the ranks, as the paper's does.
class BufferedMemory {
  public:
    /// Queues into, and areas of, the ranks [first, last), from and to all.
    BufferedMemory(const RankLayout& layout, int first, int last);
    /// For a process whose threads and fibers are all the ranks.
    explicit BufferedMemory(const RankLayout& layout) : BufferedMemory(layout, 0, layout.ranks) {}

    /// Bytes for this many ranks in one process, all touched.
    static std::size_t bytes(int ranks);
    /// Entries of a queue: 2 to 64, a power of two, such that all together stay below 256 MiB, or two each.
    static std::uint32_t queue_entries(int ranks);
    /// Blocks of a sender's area.
    static std::size_t area_blocks(int ranks);

    std::uint32_t entries() const { return entries_; }
    bool has(int rank) const { return rank >= first_ && rank < last_; }
    QueueSlot* queue(int to, int from) const {
        return reinterpret_cast<QueueSlot*>(slots_.data()) + pair(to, from) * entries_;
    }
    SendingEnd& sending_end(int from, int to) const {
        return *reinterpret_cast<SendingEnd*>(sending_.data() + row(from) * sending_row_ + at(to) * sizeof(SendingEnd));
    }
    ReceivingEnd& receiving_end(int to, int from) const {
        return *reinterpret_cast<ReceivingEnd*>(receiving_.data() + row(to) * receiving_row_ +
                                                at(from) * sizeof(ReceivingEnd));
    }
    BlockArea& area(int from);
    Bells& bells() { return bells_; }

  private:
    static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
    std::size_t row(int rank) const { return static_cast<std::size_t>(rank - first_); }
    std::size_t pair(int to, int from) const { return row(to) * ranks_ + at(from); }

    int first_;
    int last_;
    std::size_t ranks_;
    std::uint32_t entries_;
    std::size_t sending_row_;
    std::size_t receiving_row_;
    Mapping slots_;
    Mapping sending_;
    Mapping receiving_;
    Mapping blocks_;
    std::vector<BlockArea> areas_;
    Bells bells_;
};

/// The first entry of a queue, from its logical front to its end, with this tag; nullptr when there is none. As
/// the search begins at the front, messages with the same tag do not overtake.
QueueSlot* find_entry(QueueSlot* queue, std::uint32_t entries, const ReceivingEnd& end, int tag);

/// Takes an entry that `find_entry` found out of the range to be searched.
void take_entry(QueueSlot* queue, std::uint32_t entries, ReceivingEnd& end, const QueueSlot* slot);

}  // namespace narrows
