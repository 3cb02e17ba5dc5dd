#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "calibrate/messaging/command_queue.hpp"
#include "calibrate/messaging/messages.hpp"
#include "calibrate/messaging/protocol.hpp"

namespace narrows {

/// Bytes of a message that travel at once in `CommandMessages`.
inline constexpr std::size_t landing_bytes = 16384;

/// Symmetric memory of each of so many ranks that send and receive by `CommandMessages`.
constexpr std::size_t command_messages_bytes(int ranks) {
    return static_cast<std::size_t>(ranks) * 4 * sizeof(std::uint64_t) + landing_bytes;
}

/// Send and receive for programs that need them, by nothing but puts of the command queue. The sender puts a request
/// into a place that the receiver has for it; who receives grants its landing area, piece by piece; the sender puts
/// the piece there and then says so. Sending is synchronous. The places take memory O(N²).
template <class Endpoint>
class CommandMessages {
  public:
    CommandMessages(Endpoint& endpoint, const RankLayout& layout)
        : queue_(endpoint, layout, command_messages_bytes(layout.ranks)),
          granted_(static_cast<std::size_t>(layout.ranks)) {}
    CommandMessages(const CommandMessages&) = delete;
    CommandMessages& operator=(const CommandMessages&) = delete;

    bool poll() { return queue_.poll(); }
    int ranks() const { return queue_.ranks(); }

    /// Returns when the receiver has granted room for the last piece, and `data` may be changed.
    template <class Waiter>
    void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        check_peer(me, to, ranks(), tag);
        const auto* from = static_cast<const std::byte*>(data);
        const std::uint64_t before = granted(me, to);
        put(me, to, request_at(me), Request{bytes, tag, 1}, waiter);
        for (std::size_t piece = 0; piece < pieces_of(bytes); ++piece) {
            queue_.wait_for(me, waiter, [&] { return granted(me, to) > before + piece; });
            const std::size_t done = piece * landing_bytes;
            const std::size_t part = std::min(bytes - done, landing_bytes);
            if (part != 0) queue_.put(me, to, landing_at(), from + done, part, waiter);
            put(me, to, landed_at(me), std::uint64_t{piece + 1}, waiter);
        }
    }

    template <class Waiter>
    std::size_t receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        check_peer(me, from, ranks(), tag);
        if (!has_message(me, from, tag)) {
            queue_.wait_for(me, waiter, [&] { return has_message(me, from, tag); });
        }
        const auto request = read<Request>(me, request_at(from));
        if (request.bytes > capacity) throw MessagingError::too_long(from, me, request.bytes, capacity);
        write(me, request_at(from), Request{});
        take_pieces(me, from, static_cast<std::byte*>(buffer), request.bytes, waiter);
        return request.bytes;
    }

  private:
    struct Request {
        std::uint64_t bytes = 0;
        std::int32_t tag = 0;
        std::uint32_t open = 0;  ///< until the message is received
    };
    static_assert(sizeof(Request) == 2 * sizeof(std::uint64_t));

    // An empty message is a piece too: its sender must not ask again before it is received.
    static std::size_t pieces_of(std::size_t bytes) {
        return std::max<std::size_t>((bytes + landing_bytes - 1) / landing_bytes, 1);
    }

    // Symmetric memory: by source its request, how many pieces have landed of it, and how many it has granted; and
    // where the pieces of the message that is being received land.
    static std::size_t request_at(int source) { return static_cast<std::size_t>(source) * sizeof(Request); }
    std::size_t landed_at(int source) const { return request_at(ranks()) + static_cast<std::size_t>(source) * 8; }
    std::size_t granted_at(int target) const { return landed_at(ranks()) + static_cast<std::size_t>(target) * 8; }
    std::size_t landing_at() const { return granted_at(ranks()); }

    template <class Value>
    Value read(int me, std::size_t offset) {
        Value value;
        std::memcpy(&value, queue_.memory(me) + offset, sizeof value);
        return value;
    }
    template <class Value>
    void write(int me, std::size_t offset, const Value& value) {
        std::memcpy(queue_.memory(me) + offset, &value, sizeof value);
    }
    template <class Value, class Waiter>
    void put(int me, int to, std::size_t offset, const Value& value, Waiter& waiter) {
        queue_.put(me, to, offset, &value, sizeof value, waiter);
    }
    std::uint64_t granted(int me, int by) { return read<std::uint64_t>(me, granted_at(by)); }
    bool has_message(int me, int source, int tag) {
        const auto request = read<Request>(me, request_at(source));
        return request.open != 0 && tag == request.tag;
    }

    template <class Waiter>
    void take_pieces(int me, int source, std::byte* buffer, std::size_t bytes, Waiter& waiter) {
        std::vector<std::uint64_t>& granted = granted_[static_cast<std::size_t>(me)];
        granted.resize(static_cast<std::size_t>(ranks()));
        write(me, landed_at(source), std::uint64_t{0});
        for (std::size_t piece = 0; piece < pieces_of(bytes); ++piece) {
            put(me, source, granted_at(me), ++granted[static_cast<std::size_t>(source)], waiter);
            queue_.wait_for(me, waiter, [&] { return read<std::uint64_t>(me, landed_at(source)) == piece + 1; });
            const std::size_t done = piece * landing_bytes;
            const std::size_t part = std::min(bytes - done, landing_bytes);
            if (part != 0) std::memcpy(buffer + done, queue_.memory(me) + landing_at(), part);
        }
    }

    CommandQueue<Endpoint> queue_;
    std::vector<std::vector<std::uint64_t>> granted_;  ///< pieces, of each rank by sender
};

/// It has puts only, so that sends and receives are `CommandMessages`.
template <>
struct ProtocolOf<Protocol::command_queue> {
    static constexpr ProtocolRecord record = {
        .name = "command-queue",
        .source = "underwood2008",
        .memory = [](int ranks) { return static_cast<std::size_t>(ranks) * command_messages_bytes(ranks); },
        .puts = true};
    using Memory = NoMemory;
    using Maker = ProtocolOf;
    template <class Endpoint>
    using Puts = CommandQueue<Endpoint>;

    template <class Endpoint>
    static auto make(Endpoint& endpoint, const RankLayout& layout, Memory& /*memory*/,
                     const ProtocolRecord& /*record*/) {
        return std::make_unique<CommandMessages<Endpoint>>(endpoint, layout);
    }
};

}  // namespace narrows
