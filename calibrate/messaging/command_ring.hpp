#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "calibrate/transport/packet.hpp"

namespace narrows {

/// A put as its rank hands it to the network interface: 16 bytes, as underwood2008 Section 6 has them, then the data in
/// units of 8 bytes.
struct PutCommand {
    std::uint32_t to = 0;
    std::uint32_t bytes = 0;
    std::uint64_t offset = 0;  ///< in the symmetric memory of `to`
};
static_assert(sizeof(PutCommand) == 16);

/// The queue of commands of one rank (underwood2008, Section 3.1): 4 KiB; what is free is told the rank every 512 bytes
/// and when nothing is left, so that a command costs no read of the interface.
class CommandRing {
  public:
    static constexpr std::size_t bytes = 4096;
    static constexpr std::size_t update_bytes = 512;
    /// Data of one command at most, so that a command never spans more than one update.
    static constexpr std::size_t most_data = update_bytes - sizeof(PutCommand);

    static constexpr std::size_t room_of(std::size_t data) {
        return sizeof(PutCommand) + ((data + 7) & ~std::size_t{7});
    }

    /// Data of the next command of a put that has so many bytes left: whole words, and as much as of all others but
    /// for one word, as a last command of a few bytes may take longer than one of many.
    static constexpr std::size_t part_of(std::size_t left) {
        const std::size_t commands = (left + most_data - 1) / most_data;
        return commands <= 1 ? left : ((left + commands - 1) / commands + 7) & ~std::size_t{7};
    }

    bool empty() const { return taken_ == written_; }
    /// Whether the rank may write a command with `data` bytes, as far as it has been told.
    bool has_room(std::size_t data) const { return written_ + room_of(data) - told_ <= bytes; }

    /// Precondition: `has_room(command.bytes)`.
    void write(const PutCommand& command, const void* data) {
        copy_in(&command, sizeof command);
        copy_in(data, command.bytes);
        written_ = (written_ + 7) & ~std::uint64_t{7};
    }
    /// The oldest command, which the interface takes. Precondition: not empty.
    PutCommand front() const {
        PutCommand command;
        std::memcpy(&command.to, word_at(offsetof(PutCommand, to)), sizeof command.to);
        std::memcpy(&command.bytes, word_at(offsetof(PutCommand, bytes)), sizeof command.bytes);
        std::memcpy(&command.offset, word_at(offsetof(PutCommand, offset)), sizeof command.offset);
        return command;
    }
    /// What of the oldest command, as `front` has it, goes to its target, where it lies in the ring: the offset, and
    /// the data behind it. Copied once more on its way, it would be read back before what was written is in the cache.
    Payload payload_of(const PutCommand& command) const {
        const std::byte* at = word_at(offsetof(PutCommand, offset));
        const std::size_t whole = sizeof command.offset + command.bytes;
        const std::size_t first = std::min(whole, static_cast<std::size_t>(ring_.data() + bytes - at));
        return {at, static_cast<std::uint32_t>(first), ring_.data(), static_cast<std::uint32_t>(whole - first)};
    }
    void pop(const PutCommand& command) {
        taken_ += room_of(command.bytes);
        if (taken_ - told_ >= update_bytes || empty()) told_ = taken_;
    }

  private:
    // In the oldest command; commands begin at multiples of 8, so that none of its fields spans the ring's end.
    const std::byte* word_at(std::size_t field) const { return ring_.data() + (taken_ + field) % bytes; }

    void copy_in(const void* from, std::size_t count) {
        const std::size_t at = written_ % bytes;
        const std::size_t first = count < bytes - at ? count : bytes - at;
        copy_bytes(ring_.data() + at, from, first);
        copy_bytes(ring_.data(), static_cast<const std::byte*>(from) + first, count - first);
        written_ += count;
    }

    std::uint64_t written_ = 0;
    std::uint64_t taken_ = 0;
    std::uint64_t told_ = 0;
    alignas(64) std::array<std::byte, bytes> ring_{};
};

}  // namespace narrows
