#pragma once

#include "calibrate/messaging/messaging_error.hpp"

namespace narrows {

/// Largest tag that every protocol takes.
inline constexpr int most_tag = 32767;

/// Throws MessagingError unless `rank` may send to, or receive from, `peer` with this tag among so many ranks.
inline void check_peer(int rank, int peer, int ranks, int tag) {
    if (peer < 0 || peer >= ranks) [[unlikely]]
        throw MessagingError::unknown_rank(peer, ranks);
    if (peer == rank) [[unlikely]]
        throw MessagingError::to_itself(rank);
    if (tag < 0 || tag > most_tag) [[unlikely]]
        throw MessagingError::bad_tag(tag, most_tag);
}

// What kernels send by. A protocol that has two-sided messages has
//
//   void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter)
//        returns when `data` may be changed, which may be before it is received
//   std::size_t receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter)
//        the bytes of the message; those of a pair of ranks with the same tag do not overtake
//
// and throws MessagingError for a rank or tag out of range, for a rank's message to itself and for one longer than the
// buffer.

}  // namespace narrows
