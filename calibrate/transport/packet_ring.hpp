#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "calibrate/transport/packet.hpp"

namespace narrows {

/// Where a ring's reader says how far it is. On a cache line of its own.
struct alignas(64) RingProgress {
    std::atomic<std::uint64_t> read{0};
};

/// Bytes of the ring that a packet with this payload takes: its header and payload, in units of 16 bytes.
constexpr std::size_t packet_room(std::size_t payload) {
    return (payload + sizeof(std::uint64_t) + 15) & ~std::size_t{15};
}

/// Least bytes of a ring that carries packets of `most_packet_bytes`: the reader gives space back by quarters.
inline constexpr std::size_t least_ring_bytes = 4 * (packet_room(most_packet_bytes) + 16);

// A ring of packets of any size between one writer and one reader. A packet's header is written last (release) and is
// what the reader looks at (acquire); before it, the word where the next header will be is zeroed, so that the reader
// never writes to the ring and a short packet costs one cache line of coherence traffic. A packet that would not end
// before the ring does is preceded by a header that says so, and begins at the ring's beginning.

/// The header that sends the reader back to the ring's beginning.
inline constexpr std::uint64_t wrap_header = 1;

/// The word of a ring that is a header, or will be, while the other end may look at it.
inline std::atomic_ref<std::uint64_t> ring_word(std::byte* at) {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(at));
}

/// The sending end of a ring.
class RingWriter {
  public:
    /// `ring` is zeroed, aligned to 16 bytes, a multiple of 16 and at least `least_ring_bytes` long.
    RingWriter(std::byte* ring, std::size_t bytes, RingProgress& progress)
        : ring_(ring), bytes_(bytes), progress_(progress) {}

    /// False when there is no room now.
    bool try_write(PacketHeader header, const Payload& payload) {
        const std::size_t room = packet_room(header.bytes);
        const bool wraps = at_ + room + 16 > bytes_;
        const std::size_t skipped = wraps ? bytes_ - at_ : 0;
        if (!has_room(skipped + room + 16)) return false;
        if (wraps) {
            ring_word(ring_).store(0, std::memory_order_relaxed);
            ring_word(ring_ + at_).store(wrap_header, std::memory_order_release);
            at_ = 0;
            written_ += skipped;
        }
        payload.copy_to(ring_ + at_ + sizeof(std::uint64_t));
        ring_word(ring_ + at_ + room).store(0, std::memory_order_relaxed);
        ring_word(ring_ + at_).store(header.word(), std::memory_order_release);
        at_ += room;
        written_ += room;
        return true;
    }

  private:
    bool has_room(std::size_t wanted) {
        if (written_ + wanted - read_ <= bytes_) return true;
        read_ = progress_.read.load(std::memory_order_acquire);
        return written_ + wanted - read_ <= bytes_;
    }

    std::byte* ring_;
    std::size_t bytes_;
    RingProgress& progress_;
    std::size_t at_ = 0;
    std::uint64_t written_ = 0;
    std::uint64_t read_ = 0;
};

/// The receiving end of a ring.
class RingReader {
  public:
    RingReader(std::byte* ring, std::size_t bytes, RingProgress& progress)
        : ring_(ring), bytes_(bytes), progress_(progress) {}

    /// Calls handle(header, payload) for the packets that are there, at most `most` of them; how many there were.
    template <class Handler>
    int read(int most, Handler&& handle) {
        int count = 0;
        for (; count < most; ++count) {
            std::uint64_t word = ring_word(ring_ + at_).load(std::memory_order_acquire);
            if (word == 0) break;
            if (word == wrap_header) {
                consumed_ += bytes_ - at_;
                at_ = 0;
                --count;
                continue;
            }
            const PacketHeader header = PacketHeader::of(word);
            handle(header, static_cast<const std::byte*>(ring_ + at_ + sizeof(std::uint64_t)));
            const std::size_t room = packet_room(header.bytes);
            at_ += room;
            consumed_ += room;
            if (consumed_ - published_ >= bytes_ / 4) publish();
        }
        return count;
    }

  private:
    void publish() {
        published_ = consumed_;
        progress_.read.store(consumed_, std::memory_order_release);
    }

    std::byte* ring_;
    std::size_t bytes_;
    RingProgress& progress_;
    std::size_t at_ = 0;
    std::uint64_t consumed_ = 0;
    std::uint64_t published_ = 0;
};

}  // namespace narrows
