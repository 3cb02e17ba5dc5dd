#pragma once

#include <cstddef>

namespace narrows {

/// In place of a rank or a tag to `receive`: whatever comes first.
inline constexpr int any_source = -1;
inline constexpr int any_tag = -1;

/// Largest tag that every protocol takes.
inline constexpr int most_tag = 32767;

/// What `receive` received.
struct Received {
    int source = 0;
    int tag = 0;
    std::size_t bytes = 0;
};

// What kernels send by. A protocol that has two-sided messages has
//
//   void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter)
//        returns when `data` may be changed, which may be before it is received
//   Received receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter)
//        `from` may be any_source and `tag` any_tag where the protocol's `has_any_source` says so; messages of a pair
//        of ranks with the same tag do not overtake
//
// and throws MessagingError for a rank or tag out of range and for a message longer than the buffer.

}  // namespace narrows
