#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include "calibrate/messaging/collectives.hpp"

namespace narrows {

// Collectives in which each member has something of its own for each other one.

/// Calls `meet(partner)` for every member, itself included, in an order in which members meet in pairs: P rounds, and
/// where P is a power of two in the first each meets itself. Otherwise a member meets itself while others meet.
template <class Meet>
void meet_each(const Member& member, const Meet& meet) {
    const int size = member.size();
    const bool is_power = std::has_single_bit(static_cast<unsigned>(size));
    for (int round = 0; round < size; ++round) {
        meet(is_power ? member.me() ^ round : (round - member.me() + size) % size);
    }
}

/// Block i of `out` comes to member i, where it is block `me` of `in`; blocks of `bytes`. Pairs exchange: each block is
/// sent once.
inline void all_to_all_pairwise(Member& member, const std::byte* out, std::byte* in, std::size_t bytes) {
    meet_each(member, [&](int partner) {
        const std::size_t at = static_cast<std::size_t>(partner) * bytes;
        if (partner == member.me()) {
            std::copy_n(out + at, bytes, in + at);
        } else {
            member.exchange(partner, out + at, in + at, bytes);
        }
    });
}

/// The same in ⌈log₂ P⌉ steps of about half of all blocks, which are passed on (Bruck et al. 1997): in the step of
/// distance 2^k go those whose way has bit k. `scratch` is as long as `in`.
inline void all_to_all_bruck(Member& member, const std::byte* out, std::byte* in, std::size_t bytes,
                             std::byte* scratch) {
    const int size = member.size();
    const auto block = [bytes](auto* data, int number) { return data + static_cast<std::size_t>(number) * bytes; };
    // In scratch a block stands at the distance that it has yet to go, and in the end at that which it came.
    for (int way = 0; way < size; ++way) {
        std::copy_n(block(out, (member.me() + way) % size), bytes, block(scratch, way));
    }
    std::byte* const coming = block(in, size / 2);  // at most half of all blocks have the bit
    for (int distance = 1; distance < size; distance *= 2) {
        int count = 0;
        for (int way = 0; way < size; ++way) {
            if ((way & distance) != 0) std::copy_n(block(scratch, way), bytes, block(in, count++));
        }
        const std::size_t all = static_cast<std::size_t>(count) * bytes;
        member.shift(in, all, coming, all, distance);
        count = 0;
        for (int way = 0; way < size; ++way) {
            if ((way & distance) != 0) std::copy_n(block(coming, count++), bytes, block(scratch, way));
        }
    }
    for (int way = 0; way < size; ++way) {
        std::copy_n(block(scratch, way), bytes, block(in, (member.me() - way + size) % size));
    }
}

/// Allgather, as `allgather`, in ⌈log₂ P⌉ steps, each of all that a member has (Bruck et al. 1997). `scratch` is as
/// long as `data`.
inline void allgather_bruck(Member& member, std::byte* data, std::size_t bytes, std::byte* scratch) {
    const int size = member.size();
    const auto block = [bytes](std::byte* of, int number) { return of + static_cast<std::size_t>(number) * bytes; };
    // In scratch block i is that of the member i places back.
    std::copy_n(block(data, member.me()), bytes, scratch);
    for (int have = 1; have < size; have *= 2) {
        const std::size_t all = static_cast<std::size_t>(std::min(have, size - have)) * bytes;
        member.shift(scratch, all, block(scratch, have), all, have);
    }
    for (int back = 0; back < size; ++back) {
        std::copy_n(block(scratch, back), bytes, block(data, (member.me() - back + size) % size));
    }
}

/// Leaves each member its part, as `reduce_scatter_ring`: pairs exchange each other's parts, so that each part is sent
/// as it was in the beginning, and combined by its member alone.
template <class T, class Operation>
void reduce_scatter_pairwise(Member& member, T* data, T* scratch, std::size_t count, const Operation& operation) {
    const int me = member.me();
    const auto begin = [&](int part) { return begin_of_part(count, part, member.size()); };
    const auto elements = [&](int part) { return begin(part + 1) - begin(part); };
    meet_each(member, [&](int partner) {
        if (partner == me) return;
        member.exchange(partner, data + begin(partner), elements(partner) * sizeof(T), scratch,
                        elements(me) * sizeof(T));
        combine(data + begin(me), scratch, elements(me), operation);
    });
}

}  // namespace narrows
