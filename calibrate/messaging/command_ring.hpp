#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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

    bool empty() const { return taken_ == written_; }
    /// Whether the rank may write a command with `data` bytes, as far as it has been told.
    bool has_room(std::size_t data) const { return written_ + room_of(data) - told_ <= bytes; }

    /// Precondition: `has_room(command.bytes)`.
    void write(const PutCommand& command, const void* data) {
        copy_in(&command, sizeof command);
        copy_in(data, command.bytes);
        written_ = (written_ + 7) & ~std::uint64_t{7};
    }
    /// The oldest command, which the interface takes; its data go to `data`. Precondition: not empty.
    PutCommand front(std::byte* data) const {
        PutCommand command;
        copy_out(taken_, &command, sizeof command);
        copy_out(taken_ + sizeof command, data, command.bytes);
        return command;
    }
    void pop(const PutCommand& command) {
        taken_ += room_of(command.bytes);
        if (taken_ - told_ >= update_bytes || empty()) told_ = taken_;
    }

  private:
    void copy_in(const void* from, std::size_t count) {
        const std::size_t at = written_ % bytes;
        const std::size_t first = count < bytes - at ? count : bytes - at;
        copy_bytes(ring_.data() + at, from, first);
        copy_bytes(ring_.data(), static_cast<const std::byte*>(from) + first, count - first);
        written_ += count;
    }
    void copy_out(std::uint64_t position, void* to, std::size_t count) const {
        const std::size_t at = position % bytes;
        const std::size_t first = count < bytes - at ? count : bytes - at;
        copy_bytes(static_cast<std::byte*>(to), ring_.data() + at, first);
        copy_bytes(static_cast<std::byte*>(to) + first, ring_.data(), count - first);
    }

    std::uint64_t written_ = 0;
    std::uint64_t taken_ = 0;
    std::uint64_t told_ = 0;
    alignas(64) std::array<std::byte, bytes> ring_{};
};

}  // namespace narrows
