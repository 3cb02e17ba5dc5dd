#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "calibrate/messaging/command_queue.hpp"
#include "calibrate/messaging/messages.hpp"

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
    static constexpr bool has_any_source = true;

    CommandMessages(Endpoint& endpoint, const RankLayout& layout)
        : queue_(endpoint, layout, command_messages_bytes(layout.ranks)),
          own_(static_cast<std::size_t>(layout.ranks)) {}
    CommandMessages(const CommandMessages&) = delete;
    CommandMessages& operator=(const CommandMessages&) = delete;

    bool poll() { return queue_.poll(); }
    int ranks() const { return queue_.ranks(); }

    /// Returns when the receiver has granted room for the last piece, and `data` may be changed.
    template <class Waiter>
    void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        check(to, tag);
        const auto* from = static_cast<const std::byte*>(data);
        if (to == me) {  // who would wait for oneself would wait for ever
            at(me).to_self.push_back({tag, {from, from + bytes}});
            return;
        }
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

    /// `from` may be any_source, `tag` any_tag.
    template <class Waiter>
    Received receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        check(from == any_source ? me : from, tag == any_tag ? 0 : tag);
        int source = find(me, from, tag);
        if (source == nobody) {
            queue_.wait_for(me, waiter, [&] { return (source = find(me, from, tag)) != nobody; });
        }
        at(me).first_source = source + 1 == ranks() ? 0 : source + 1;
        if (source == me) return take_own(me, tag, buffer, capacity);
        const auto request = read<Request>(me, request_at(source));
        if (request.bytes > capacity) throw MessagingError::too_long(source, me, request.bytes, capacity);
        write(me, request_at(source), Request{});
        take_pieces(me, source, static_cast<std::byte*>(buffer), request.bytes, waiter);
        return {source, request.tag, request.bytes};
    }

  private:
    static constexpr int nobody = -1;

    struct Request {
        std::uint64_t bytes = 0;
        std::int32_t tag = 0;
        std::uint32_t open = 0;  ///< until the message is received
    };
    static_assert(sizeof(Request) == 2 * sizeof(std::uint64_t));
    struct OwnMessage {
        int tag = 0;
        std::vector<std::byte> data;
    };
    struct Rank {
        std::vector<OwnMessage> to_self;
        std::vector<std::uint64_t> granted;  ///< pieces, by sender
        int first_source = 0;
    };

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
    Rank& at(int rank) { return own_[static_cast<std::size_t>(rank)]; }

    void check(int rank, int tag) const {
        if (rank < 0 || rank >= ranks()) throw MessagingError::unknown_rank(rank, ranks());
        if (tag < 0 || tag > most_tag) throw MessagingError::bad_tag(tag, most_tag);
    }

    // A source that has a message with the tag, or nobody.
    int find(int me, int from, int tag) {
        if (from != any_source) return has_message(me, from, tag) ? from : nobody;
        for (int i = 0, source = at(me).first_source; i < ranks(); ++i) {
            if (has_message(me, source, tag)) return source;
            source = source + 1 == ranks() ? 0 : source + 1;
        }
        return nobody;
    }
    bool has_message(int me, int source, int tag) {
        if (source == me) return own_message(me, tag) != at(me).to_self.end();
        const auto request = read<Request>(me, request_at(source));
        return request.open != 0 && (tag == any_tag || tag == request.tag);
    }

    auto own_message(int me, int tag) {
        std::vector<OwnMessage>& all = at(me).to_self;
        return std::find_if(all.begin(), all.end(),
                            [tag](const OwnMessage& own) { return tag == any_tag || tag == own.tag; });
    }
    Received take_own(int me, int tag, void* buffer, std::size_t capacity) {
        const auto found = own_message(me, tag);
        const OwnMessage message = std::move(*found);
        at(me).to_self.erase(found);
        const std::size_t bytes = message.data.size();
        if (bytes > capacity) throw MessagingError::too_long(me, me, bytes, capacity);
        if (bytes != 0) std::memcpy(buffer, message.data.data(), bytes);
        return {me, message.tag, bytes};
    }

    template <class Waiter>
    void take_pieces(int me, int source, std::byte* buffer, std::size_t bytes, Waiter& waiter) {
        std::vector<std::uint64_t>& granted = at(me).granted;
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
    std::vector<Rank> own_;
};

}  // namespace narrows
