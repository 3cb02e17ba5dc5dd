#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace narrows {

/// What a packet is, as its protocol numbers its kinds: 1 … 254. A whole word, although eight bits travel: of a
/// narrower one a compiler may store the part and read back a word, which the processor does only when all stores
/// before are done.
using PacketKind = std::uint64_t;

/// What stands before a packet's payload: one word, so that a message of eight bytes takes sixteen. Never zero.
struct PacketHeader {
    PacketKind kind = 1;
    /// Ranks, below `most_packet_ranks`.
    int from = 0;
    int to = 0;
    /// Bytes of payload, at most `most_packet_bytes`.
    std::uint32_t bytes = 0;

    std::uint64_t word() const {
        return static_cast<std::uint64_t>(kind) << 56 | static_cast<std::uint64_t>(from) << 36 |
               static_cast<std::uint64_t>(to) << 16 | bytes;
    }
    static PacketHeader of(std::uint64_t word) {
        constexpr std::uint64_t rank_bits = (1U << 20) - 1;
        return {word >> 56, static_cast<int>(word >> 36 & rank_bits), static_cast<int>(word >> 16 & rank_bits),
                static_cast<std::uint32_t>(word & 0xffff)};
    }
};

inline constexpr int most_packet_ranks = 1 << 20;
inline constexpr std::size_t most_packet_bytes = 8192;

// Not inlined, so that a compiler which knows the source does not warn of lengths that it never has.
[[gnu::noinline]] inline void copy_many_bytes(std::byte* to, const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}

/// Copies bytes; few of them without a call.
[[gnu::always_inline]] inline void copy_bytes(std::byte* to, const void* from, std::size_t bytes) {
    const auto* source = static_cast<const std::byte*>(from);
    if (bytes > 16) {
        copy_many_bytes(to, source, bytes);
    } else if (bytes >= 8) {
        std::uint64_t first = 0, last = 0;
        std::memcpy(&first, source, 8);
        std::memcpy(&last, source + bytes - 8, 8);
        std::memcpy(to, &first, 8);
        std::memcpy(to + bytes - 8, &last, 8);
    } else {
        for (std::size_t i = 0; i < bytes; ++i) to[i] = source[i];
    }
}

/// Copies bytes to memory that another thread watches: a word on a word's boundary whole, and after all writes before.
inline void store_bytes(std::byte* to, const void* from, std::size_t bytes) {
    if (bytes != sizeof(std::uint64_t) || reinterpret_cast<std::uintptr_t>(to) % sizeof(std::uint64_t) != 0) {
        std::memcpy(to, from, bytes);
        return;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(to)).store(word, std::memory_order_release);
}

/// What a packet carries, in two pieces that are laid one after the other: a protocol's own words, and the user's data.
struct Payload {
    const void* head = nullptr;
    std::uint32_t head_bytes = 0;
    const void* body = nullptr;
    std::uint32_t body_bytes = 0;

    std::uint32_t bytes() const { return head_bytes + body_bytes; }
    /// Lays both pieces at `to`.
    [[gnu::always_inline]] void copy_to(std::byte* to) const {
        copy_bytes(to, head, head_bytes);
        if (body_bytes != 0) copy_bytes(to + head_bytes, body, body_bytes);
    }
};

// A transport moves packets between the processes of a run; a process is a worker thread with its ranks, or an
// operating system's process with one. A protocol is a template over its transport's endpoint, so that sending over
// shared memory costs no virtual call. An endpoint belongs to one process and has
//
//   bool try_send(PacketHeader header, const Payload& payload)      with header.bytes == payload.bytes()
//        takes the packet to the process of rank `header.to`, in order with those before to the same process; false
//        when there is no room now. The payload has been copied when it returns.
//   bool try_tell(header, payload)      optional: the same for what is no answer, such as an acknowledgement
//   bool poll(Handler&& handle)      calls handle(PacketHeader, const std::byte* payload) for each packet that has come
//        (payload aligned to 8 bytes, valid during the call, in which the endpoint may send but not poll); whether any
//   void flush()                     sees to it that what was sent is on its way
//   int processes(), process(), process_of(rank)
//   std::vector<std::string> gather(const std::string& own)      optional: once all are done, what the
//        processes say, on the first of them; nothing on the others. What else comes meanwhile is dropped.
//   static constexpr bool shares_memory        whether an address of one rank is valid in all
//
// and throws TransportError when a peer is gone.

}  // namespace narrows
