#include "calibrate/messaging/buffered_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace narrows {
namespace {

constexpr std::size_t line = 64;
constexpr std::uint32_t most_entries = 64;
constexpr std::size_t most_queue_bytes = std::size_t{256} << 20;

std::size_t whole_lines_of(std::size_t bytes) {
    return (bytes + line - 1) / line * line;
}

}  // namespace

void copy_in_pieces(void* to, const void* from, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += copy_piece_bytes) {
        std::memcpy(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at,
                    std::min(copy_piece_bytes, bytes - at));
    }
}

void copy_by_lines(void* to, const void* from, std::size_t bytes) {
    const std::size_t whole = bytes / line * line;
    std::memcpy(to, from, whole);
    std::memcpy(static_cast<std::byte*>(to) + whole, static_cast<const std::byte*>(from) + whole, bytes - whole);
}

void BlockArea::prepare(std::byte* memory, std::size_t blocks) {
    memory_ = memory;
    users_.assign(blocks, nullptr);
    free_.reserve(blocks);
    for (std::size_t block = blocks; block-- > 0;) free_.push_back(static_cast<std::uint16_t>(block));
}

std::byte* BlockArea::take(QueueSlot& slot) {
    if (free_.empty()) collect();
    if (free_.empty()) return nullptr;
    const std::size_t block = free_.back();
    free_.pop_back();
    users_[block] = &slot;
    return memory_ + block * most_buffered_bytes;
}

void BlockArea::reclaim(const QueueSlot& slot) {
    if (EntryWord::of(slot.entry).place != EntryWord::Place::block) return;
    const std::size_t block = static_cast<std::size_t>(slot.place - memory_) / most_buffered_bytes;
    if (users_[block] == &slot) free(block);
}

void BlockArea::free(std::size_t block) {
    users_[block] = nullptr;
    free_.push_back(static_cast<std::uint16_t>(block));
}

void BlockArea::collect() {
    for (std::size_t block = 0; block < users_.size(); ++block) {
        if (users_[block] != nullptr && !EntryWord::of(users_[block]->load()).valid) free(block);
    }
}

BufferedMemory::BufferedMemory(const RankLayout& layout, int first, int last)
    : first_(first),
      last_(last),
      ranks_(at(layout.ranks)),
      entries_(queue_entries(layout.ranks)),
      sending_row_(whole_lines_of(ranks_ * sizeof(SendingEnd))),
      receiving_row_(whole_lines_of(ranks_ * sizeof(ReceivingEnd))),
      areas_(row(last)),
      bells_(layout) {
    const std::size_t own = row(last);
    slots_ = Mapping(own * ranks_ * entries_ * sizeof(QueueSlot), PageSize::large);
    sending_ = Mapping(own * sending_row_, PageSize::large);
    receiving_ = Mapping(own * receiving_row_, PageSize::large);
    blocks_ = Mapping(own * area_blocks(layout.ranks) * most_buffered_bytes, PageSize::large);
}

std::uint32_t BufferedMemory::queue_entries(int ranks) {
    const std::size_t pairs = at(ranks) * at(ranks);
    const std::size_t each = std::max<std::size_t>(most_queue_bytes / (pairs * sizeof(QueueSlot)), 2);
    return std::bit_floor(static_cast<std::uint32_t>(std::min<std::size_t>(each, most_entries)));
}

std::size_t BufferedMemory::area_blocks(int ranks) {
    return std::clamp<std::size_t>(4096 / at(ranks), 8, 64);
}

std::size_t BufferedMemory::bytes(int ranks) {
    const std::size_t count = at(ranks);
    const std::size_t pair = queue_entries(ranks) * sizeof(QueueSlot) + sizeof(SendingEnd) + sizeof(ReceivingEnd);
    return count * count * pair + count * (area_blocks(ranks) * most_buffered_bytes + sizeof(BlockArea));
}

BlockArea& BufferedMemory::area(int from) {
    BlockArea& area = areas_[row(from)];
    if (!area.prepared()) {
        const std::size_t blocks = area_blocks(static_cast<int>(ranks_));
        area.prepare(blocks_.data() + row(from) * blocks * most_buffered_bytes, blocks);
    }
    return area;
}

QueueSlot* find_entry(QueueSlot* queue, std::uint32_t entries, const ReceivingEnd& end, int tag) {
    for (std::uint32_t i = 0; i < entries; ++i) {
        if ((end.taken >> i & 1) != 0) continue;
        QueueSlot& slot = queue[(end.front + i) & (entries - 1)];
        const EntryWord entry = EntryWord::of(slot.load());
        if (!entry.valid) return nullptr;
        if (tag == entry.tag) return &slot;
    }
    return nullptr;
}

void take_entry(QueueSlot* queue, std::uint32_t entries, ReceivingEnd& end, const QueueSlot* slot) {
    const std::uint32_t index = (static_cast<std::uint32_t>(slot - queue) - end.front) & (entries - 1);
    end.taken |= std::uint64_t{1} << index;
    const int passed = std::countr_one(end.taken);
    end.taken = passed == 64 ? 0 : end.taken >> passed;
    end.front += static_cast<std::uint32_t>(passed);
}

}  // namespace narrows
