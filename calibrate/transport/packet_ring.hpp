#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

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
        const std::uint64_t word = header.word();
        const std::size_t room = packet_room(header.bytes);
        if (at_ + room > plain_end_) return try_write_elsewhere(word, room, payload);
        // Takes the lines that the next packets will need away from the reader in time: one after the other each would
        // hold up all stores behind it.
        __builtin_prefetch(ring_ + at_ + bytes_ahead, 1);
        write(word, room, payload);
        return true;
    }

  private:
    // So many that the line itself, which goes to and fro, costs little beside them.
    static constexpr std::uint64_t bytes_between_tellings = 2048;
    static constexpr std::size_t bytes_ahead = std::size_t{9} * 64;
    static constexpr std::size_t header_bytes = sizeof(std::uint64_t);
    // Behind a packet there is always room for a header, be it the one that sends the reader back.
    static constexpr std::size_t next_header = 16;

    [[gnu::always_inline]] void write(std::uint64_t word, std::size_t room, const Payload& payload) {
        std::byte* const at = ring_ + at_;
        at_ += room;
        payload.copy_to(at + header_bytes);
        ring_word(at + room).store(0, std::memory_order_relaxed);
        ring_word(at).store(word, std::memory_order_release);
    }

    // A packet before which, or after which, there is more to do than to write it. The payload by value: given by
    // address it would be kept in memory for the others too.
    [[gnu::noinline]] bool try_write_elsewhere(std::uint64_t word, std::size_t room, Payload payload) {
        const bool wraps = at_ + room + next_header > bytes_;
        const std::size_t skipped = wraps ? bytes_ - at_ : 0;
        if (!has_room(skipped + room + next_header)) return false;
        if (wraps) {
            ring_word(ring_).store(0, std::memory_order_relaxed);
            ring_word(ring_ + at_).store(wrap_header, std::memory_order_release);
            before_ += bytes_;
            at_ = 0;
        }
        write(word, room, payload);
        if (written() - told_ >= bytes_between_tellings) tell();
        plain_end_ = at_ + std::min({bytes_ - next_header - at_, bytes_ - next_header - (written() - read_),
                                     bytes_between_tellings - (written() - told_)});
        return true;
    }

    std::uint64_t written() const { return before_ + at_; }
    void tell() {
        told_ = written();
        progress_.written.store(told_, std::memory_order_release);
    }
    bool has_room(std::size_t wanted) {
        if (written() + wanted - read_ <= bytes_) return true;
        read_ = progress_.read.load(std::memory_order_acquire);
        return written() + wanted - read_ <= bytes_;
    }

    std::byte* ring_;
    std::size_t at_ = 0;
    std::size_t plain_end_ = 0;  ///< up to where packets need no more than to be written
    std::size_t bytes_;
    RingProgress& progress_;
    std::uint64_t before_ = 0;  ///< bytes of the rounds before this one
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
        const std::uint64_t end = told > consumed_ ? told : std::numeric_limits<std::uint64_t>::max();
        // Handlers are calls, after which members would have to be read again.
        std::byte* at = ring_ + at_;
        std::uint64_t consumed = consumed_;
        std::uint64_t next_stop = consumed;
        int left = most;
        while (left > 0) {
            if (consumed >= next_stop) {
                if (consumed >= end) break;
                next_stop = pass_stop(static_cast<std::size_t>(at - ring_), consumed, told);
            }
            const std::uint64_t word = ring_word(at).load(std::memory_order_acquire);
            if (word == 0) break;
            if (word == wrap_header) {
                consumed += bytes_ - static_cast<std::size_t>(at - ring_);
                at = ring_;
                continue;
            }
            const PacketHeader header = PacketHeader::of(word);
            handle(header, static_cast<const std::byte*>(at + sizeof(std::uint64_t)));
            const std::size_t room = packet_room(header.bytes);
            at += room;
            consumed += room;
            --left;
        }
        at_ = static_cast<std::size_t>(at - ring_);
        consumed_ = consumed;
        if (consumed_ - published_ >= bytes_ / 4) publish(consumed_);
        return most - left;
    }

  private:
    static constexpr std::uint64_t line_bytes = 64;
    static constexpr std::uint64_t bytes_ahead = 16 * line_bytes;
    static constexpr std::uint64_t bytes_between_stops = 4 * line_bytes;

    // What is done every few lines: gives space back, and asks for the lines that the writer has told of. Where the
    // next stop is.
    std::uint64_t pass_stop(std::size_t at, std::uint64_t consumed, std::uint64_t told) {
        if (consumed - published_ >= bytes_ / 4) publish(consumed);
        if (told <= consumed) return consumed + bytes_between_stops;
        const std::uint64_t end = std::min(told, consumed + bytes_ahead);
        fetched_ = std::max(fetched_, consumed & ~(line_bytes - 1));
        for (; fetched_ < end; fetched_ += line_bytes) {
            const std::size_t line = at + static_cast<std::size_t>(fetched_ - consumed);
            __builtin_prefetch(ring_ + (line < bytes_ ? line : line - bytes_));
        }
        return std::min(told, consumed + bytes_between_stops);
    }

    void publish(std::uint64_t consumed) {
        published_ = consumed;
        progress_.read.store(consumed, std::memory_order_release);
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
