#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "calibrate/transport/packet.hpp"

namespace narrows {

/// How far a ring's ends are, in bytes since the beginning, each on a cache line of its own. Both are behind: a reader
/// tells when it has a quarter of the ring to give back, a writer after some lines, which the reader may then fetch
/// together.
struct RingProgress {
    alignas(64) std::atomic<std::uint64_t> read{0};
    alignas(64) std::atomic<std::uint64_t> written{0};
};

/// Bytes of the ring that a packet with this payload takes: its header and payload, in units of 16 bytes.
constexpr std::size_t packet_room(std::size_t payload) {
    return (payload + sizeof(std::uint64_t) + 15) & ~std::size_t{15};
}

/// Least bytes of a ring that carries packets of `most_packet_bytes`: the reader gives space back by quarters.
inline constexpr std::size_t least_ring_bytes = 4 * (packet_room(most_packet_bytes) + 16);

// A ring of packets of any size between one writer and one reader. A packet's header is written last (release) and is
// what the reader looks at (acquire); before it, the word where the next header will be is zeroed, so that the reader
// never writes to the ring and a short packet costs one cache line of coherence traffic. In a stream of short packets
// the reader stays behind: it goes by what the writer has told of, many lines together, and leaves it those it fills. A
// packet that would not end before the ring does is preceded by a header that says so, and begins at the ring's
// beginning.

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
    [[gnu::always_inline]] bool try_write(PacketHeader header, const Payload& payload) {
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
        ask_for_lines(room);
        payload.copy_to(ring_ + at_ + sizeof(std::uint64_t));
        ring_word(ring_ + at_ + room).store(0, std::memory_order_relaxed);
        ring_word(ring_ + at_).store(header.word(), std::memory_order_release);
        at_ += room;
        written_ += room;
        if (written_ - told_ >= bytes_between_tellings) tell();
        return true;
    }

  private:
    // So many that the line itself, which goes to and fro, costs little beside them.
    static constexpr std::uint64_t bytes_between_tellings = 2048;
    static constexpr std::size_t line_bytes = 64;
    static constexpr std::size_t bytes_ahead = 8 * line_bytes;

    // Takes the lines that short packets will need away from the reader in time: one after the other each would hold
    // up all stores behind it.
    void ask_for_lines(std::size_t room) {
        if (at_ / line_bytes == (at_ + room) / line_bytes || room > line_bytes) return;
        const std::size_t ahead = at_ + room + bytes_ahead;
        __builtin_prefetch(ring_ + (ahead < bytes_ ? ahead : ahead - bytes_), 1);
    }

    void tell() {
        told_ = written_;
        progress_.written.store(written_, std::memory_order_release);
    }
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
    std::uint64_t told_ = 0;
    std::uint64_t read_ = 0;
};

/// The receiving end of a ring.
class RingReader {
  public:
    RingReader(std::byte* ring, std::size_t bytes, RingProgress& progress)
        : ring_(ring), bytes_(bytes), progress_(progress) {}

    /// Whether the writer has told of packets that are not read yet. To read on there takes no cache line away from it.
    bool is_behind() const { return progress_.written.load(std::memory_order_relaxed) > consumed_; }

    /// Calls handle(header, payload) for the packets that are there, at most `most` of them; how many there were. Only
    /// those that the writer has told of, if there are such.
    template <class Handler>
    int read(int most, Handler&& handle) {
        const std::uint64_t told = progress_.written.load(std::memory_order_acquire);
        const bool behind = told > consumed_;
        int count = 0;
        for (; count < most; ++count) {
            if (behind) {
                if (consumed_ >= told) break;
                fetch_ahead(told);
            }
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
    static constexpr std::uint64_t line_bytes = 64;
    static constexpr std::uint64_t bytes_ahead = 16 * line_bytes;

    // Asks for the lines up to `told`, but no further than `bytes_ahead`.
    void fetch_ahead(std::uint64_t told) {
        const std::uint64_t end = std::min(told, consumed_ + bytes_ahead);
        if (fetched_ >= end) return;
        fetched_ = std::max(fetched_, consumed_ & ~(line_bytes - 1));
        for (; fetched_ < end; fetched_ += line_bytes) __builtin_prefetch(ring_ + fetched_ % bytes_);
    }

    void publish() {
        published_ = consumed_;
        progress_.read.store(consumed_, std::memory_order_release);
    }

    std::byte* ring_;
    std::size_t bytes_;
    RingProgress& progress_;
    std::size_t at_ = 0;
    std::uint64_t consumed_ = 0;
    std::uint64_t fetched_ = 0;
    std::uint64_t published_ = 0;
};

}  // namespace narrows
