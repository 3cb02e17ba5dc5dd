#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "calibrate/messaging/active_message.hpp"
#include "calibrate/messaging/messages.hpp"
#include "calibrate/messaging/protocol.hpp"

namespace narrows {

/// Largest message that active messages carry eagerly (kumar2008, Section 4: "messages with sizes greater than 1KB use
/// the rendezvous protocol").
inline constexpr std::size_t eager_bytes = 1024;

/// Send and receive with tags over active messages, as MPI stands on them (kumar2008, Section 3.2.1). Eager up to a
/// limit: the message goes at once, into the posted receive's buffer or into one of its own until it is received.
/// Rendezvous above: a request goes, the receiver gets the data and acknowledges.
template <class Endpoint>
class MatchedMessages {
  public:
    /// Messages of more than `eager` bytes (at most `ActiveMessages::most_short`) go by rendezvous.
    MatchedMessages(Endpoint& endpoint, const RankLayout& layout, std::size_t eager = eager_bytes)
        : messages_(endpoint, layout), eager_(eager), ranks_(static_cast<std::size_t>(layout.ranks)) {
        const auto handler = [this](auto on_arrival) { return MessageHandler{on_arrival, nullptr, this}; };
        eager_context_ = messages_.register_context(handler(&MatchedMessages::on_eager), sizeof(Envelope), eager);
        request_context_ = messages_.register_context(handler(&MatchedMessages::on_request), sizeof(Request), 0);
        done_context_ = messages_.register_context(handler(&MatchedMessages::on_acknowledgement), 0, 0);
    }
    MatchedMessages(const MatchedMessages&) = delete;
    MatchedMessages& operator=(const MatchedMessages&) = delete;

    bool poll() { return messages_.poll(); }
    int ranks() const { return messages_.ranks(); }

    template <class Waiter>
    void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        check_peer(me, to, ranks(), tag);
        if (bytes <= eager_) {
            const Envelope envelope{tag, 0};
            messages_.send(me, to, eager_context_, &envelope, data, bytes, waiter);
        } else {
            send_request(me, to, tag, data, bytes, waiter);
        }
    }

    template <class Waiter>
    std::size_t receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        check_peer(me, from, ranks(), tag);
        Rank& own = ranks_[static_cast<std::size_t>(me)];
        const auto found = std::ranges::find_if(
            own.early, [&](const Message& message) { return message.from == from && message.tag == tag; });
        Message message;
        if (found != own.early.end()) {
            message = std::move(*found);
            own.early.erase(found);
        } else {
            own.posted = {from, tag, static_cast<std::byte*>(buffer), capacity, true};
            messages_.wait_until(me, waiter, [&own] { return !own.posted.open; });
            message = std::move(own.arrived);
        }
        if (message.bytes > capacity) throw MessagingError::too_long(message.from, me, message.bytes, capacity);
        if (message.fetched) {
            bool done = false;
            messages_.get(me, message.from, message.remote, buffer, done);
            messages_.wait_until(me, waiter, [&done] { return done; });
            messages_.send(me, message.from, done_context_, nullptr, nullptr, 0, waiter);
        } else if (!message.data.empty()) {
            std::memcpy(buffer, message.data.data(), message.bytes);
        }
        return message.bytes;
    }

  private:
    struct Envelope {
        std::int32_t tag;
        std::int32_t unused;
    };
    struct Request {
        Envelope envelope;
        RemoteMemory data;
    };
    /// A message that nobody has received yet: its bytes, or where they are.
    struct Message {
        int from = 0;
        int tag = 0;
        std::size_t bytes = 0;
        bool fetched = false;
        RemoteMemory remote;
        std::vector<std::byte> data;
    };
    struct Posted {
        int from = 0;
        int tag = 0;
        std::byte* buffer = nullptr;
        std::size_t capacity = 0;
        bool open = false;
    };
    struct Rank {
        Posted posted;
        Message arrived;
        std::vector<Message> early;
        bool acknowledged = false;
    };

    template <class Waiter>
    void send_request(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        Rank& own = ranks_[static_cast<std::size_t>(me)];
        own.acknowledged = false;
        const Request request{{tag, 0}, messages_.expose(me, data, bytes)};
        messages_.send(me, to, request_context_, &request, nullptr, 0, waiter);
        messages_.wait_until(me, waiter, [&own] { return own.acknowledged; });
        messages_.withdraw(request.data);
    }

    // Where the payload goes: the posted buffer if it has room, else a buffer of the message's own.
    std::byte* file(int to, Message message) {
        Rank& own = ranks_[static_cast<std::size_t>(to)];
        const std::size_t own_bytes = message.fetched ? 0 : message.bytes;
        if (own.posted.open && own.posted.from == message.from && own.posted.tag == message.tag) {
            own.posted.open = false;
            own.arrived = std::move(message);
            messages_.raise(to);
            if (own_bytes <= own.posted.capacity) return own.posted.buffer;
            own.arrived.data.resize(own_bytes);
            return own.arrived.data.data();
        }
        own.early.push_back(std::move(message));
        own.early.back().data.resize(own_bytes);
        return own.early.back().data.data();
    }

    static std::byte* on_eager(void* user, const Arrival& arrival) {
        Envelope envelope;
        std::memcpy(&envelope, arrival.info, sizeof envelope);
        return static_cast<MatchedMessages*>(user)->file(arrival.to,
                                                         {arrival.from, envelope.tag, arrival.bytes, false, {}, {}});
    }
    static std::byte* on_request(void* user, const Arrival& arrival) {
        Request request;
        std::memcpy(&request, arrival.info, sizeof request);
        return static_cast<MatchedMessages*>(user)->file(
            arrival.to, {arrival.from, request.envelope.tag, request.data.bytes, true, request.data, {}});
    }
    static std::byte* on_acknowledgement(void* user, const Arrival& arrival) {
        auto& self = *static_cast<MatchedMessages*>(user);
        self.ranks_[static_cast<std::size_t>(arrival.to)].acknowledged = true;
        self.messages_.raise(arrival.to);
        return nullptr;
    }

    ActiveMessages<Endpoint> messages_;
    std::size_t eager_;
    std::vector<Rank> ranks_;
    int eager_context_ = 0;
    int request_context_ = 0;
    int done_context_ = 0;
};

/// The protocols that send and receive so; one type for all, so that they are compiled once.
struct MatchedMaker {
    using Memory = NoMemory;
    using Maker = MatchedMaker;

    template <class Endpoint>
    static auto make(Endpoint& endpoint, const RankLayout& layout, Memory& /*memory*/, const ProtocolRecord& record) {
        return std::make_unique<MatchedMessages<Endpoint>>(endpoint, layout,
                                                           std::min(record.longest_free, eager_bytes));
    }
};

template <>
struct ProtocolOf<Protocol::eager> : MatchedMaker {
    static constexpr ProtocolRecord record = {.name = "eager", .source = "kumar2008", .longest_free = eager_bytes};
};

template <>
struct ProtocolOf<Protocol::rendezvous> : MatchedMaker {
    static constexpr ProtocolRecord record = {.name = "rendezvous", .source = "kumar2008", .longest_free = 0};
};

}  // namespace narrows
