#pragma once

#include <array>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "calibrate/messaging/message_layer.hpp"

namespace narrows {

/// A message that begins to arrive.
struct Arrival {
    int from = 0;
    int to = 0;
    /// The sender's words beside the payload, as many bytes as the context was registered with.
    const std::byte* info = nullptr;
    /// Of the payload.
    std::size_t bytes = 0;
};

/// What happens to the messages of a context (kumar2008, Section 2.1): when the first packet arrives `receive` returns
/// the buffer for the payload (nullptr only for an empty one), and `done` is called when all of it is there. Plain
/// functions, since they are called for every message; they may reply, but not wait.
struct MessageHandler {
    std::byte* (*receive)(void* user, const Arrival& arrival) = nullptr;
    void (*done)(void* user, const Arrival& arrival, const std::byte* payload) = nullptr;
    void* user = nullptr;
};

/// Counts messages whose data have not left yet. One counter may serve a single message or many.
struct InjectionCounter {
    int rank = 0;
    std::uint32_t pending = 0;
};

/// A line of ranks `first + i·stride`, i < size, closed to a ring, as a torus has them.
struct TorusLine {
    /// Whether it is a line of two or more of `ranks` ranks.
    bool fits(int ranks) const {
        return first >= 0 && stride >= 1 && size >= 2 &&
               first + static_cast<std::int64_t>(stride) * (size - 1) < static_cast<std::int64_t>(ranks);
    }
    /// Whether `rank` is on it. Precondition: `fits`.
    bool has(int rank) const { return rank >= first && (rank - first) % stride == 0 && (rank - first) / stride < size; }

    std::int32_t first = 0;
    std::int32_t stride = 1;
    std::int32_t size = 1;

    int after(int rank) const { return first + ((rank - first) / stride + 1) % size * stride; }
};

/// Active messages (kumar2008): contexts with handlers; send, put, get, multicast and many-to-many, all of which leave
/// the rank free to go on. What finds the network full is kept and replayed, up to `most_injections` messages; a rank
/// that posts more waits. Messages that a rank sends, posts or multicasts to another arrive in that order; a handler's
/// answers and deposits along a line do not wait for what is kept.
template <class Endpoint>
class ActiveMessages : public MessageLayer<Endpoint, ActiveMessages<Endpoint>> {
    using Layer = MessageLayer<Endpoint, ActiveMessages<Endpoint>>;

  public:
    static constexpr int most_contexts = 64;
    static constexpr std::size_t most_info = 64;
    static constexpr std::size_t most_injections = 4096;

    using Layer::expose;
    using Layer::get;
    using Layer::Layer;
    using Layer::poll;
    using Layer::put;
    using Layer::raise;
    using Layer::wait_until;
    using Layer::withdraw;
    using Layer::written;

    /// Registers what is to be done with messages that bring `info_bytes` (at most `most_info`) beside a payload of at
    /// most `most_bytes`: a longer one is an error of its sender, before any handler sees it. All processes register
    /// the same contexts in the same order.
    int register_context(const MessageHandler& handler, std::size_t info_bytes, std::size_t most_bytes) {
        if (info_bytes > most_info || std::ssize(contexts_) == most_contexts) {
            throw std::logic_error("register_context: too many contexts, or too much info");
        }
        contexts_.push_back({handler, static_cast<std::uint32_t>(info_bytes), most_bytes});
        return static_cast<int>(contexts_.size()) - 1;
    }

    /// Sends; returns when `data` may be changed. `info` has the bytes that the context was registered with.
    template <class Waiter>
    void send(int me, int to, int context, const void* info, const void* data, std::size_t bytes, Waiter& waiter) {
        if (injections_.empty() && bytes <= most_short) {
            const Context& known = contexts_[static_cast<std::size_t>(context)];
            Layer::send(short_header(me, to, context, known.info_bytes, bytes),
                        {info, known.info_bytes, data, static_cast<std::uint32_t>(bytes)}, waiter);
            return;
        }
        InjectionCounter counter{me};
        post(me, to, context, info, data, bytes, counter, waiter);
        wait_until(me, waiter, [&counter] { return counter.pending == 0; });
    }

    /// Sends without waiting for the network: `data` must stay as they are until `counter.pending` is 0.
    template <class Waiter>
    void post(int me, int to, int context, const void* info, const void* data, std::size_t bytes,
              InjectionCounter& counter, Waiter& waiter) {
        // Room comes when another rank's message has gone, which raises that rank only.
        wait_until(
            me, waiter, [this] { return injections_.size() < most_injections; }, true);
        injections_.push_back({me, to, context, {}, static_cast<const std::byte*>(data), bytes, 0, false, &counter});
        copy_bytes(injections_.back().info.data(), info, contexts_[static_cast<std::size_t>(context)].info_bytes);
        ++counter.pending;
        advance();
    }

    /// The same message to every one of `ranks`.
    template <class Waiter>
    void multicast(int me, std::span<const int> ranks, int context, const void* info, const void* data,
                   std::size_t bytes, Waiter& waiter) {
        InjectionCounter counter{me};
        for (const int to : ranks) post(me, to, context, info, data, bytes, counter, waiter);
        wait_until(me, waiter, [&counter] { return counter.pending == 0; });
    }

    /// One of the messages of `many_to_many`.
    struct Message {
        int to = 0;
        const void* data = nullptr;
        std::size_t bytes = 0;
    };
    /// A message of its own to every one of many ranks.
    template <class Waiter>
    void many_to_many(int me, std::span<const Message> messages, int context, const void* info, Waiter& waiter) {
        InjectionCounter counter{me};
        for (const Message& message : messages) {
            post(me, message.to, context, info, message.data, message.bytes, counter, waiter);
        }
        wait_until(me, waiter, [&counter] { return counter.pending == 0; });
    }

    /// The same message, of at most `most_deposit` bytes, to all other ranks of a line that `me` is on: it is sent
    /// once, and each rank that it comes to keeps it and passes it on.
    template <class Waiter>
    void deposit(int me, const TorusLine& line, int context, const void* info, const void* data, std::size_t bytes,
                 Waiter& waiter) {
        if (bytes > most_deposit) throw std::logic_error("deposit: more than a packet");
        if (line.size < 2) return;
        if (!line.fits(this->ranks()) || !line.has(me)) throw std::logic_error("deposit: not on the line");
        const Context& known = contexts_[static_cast<std::size_t>(context)];
        Deposit route{line, me, context};
        std::array<std::byte, sizeof(Deposit) + most_info> head;
        std::memcpy(head.data(), &route, sizeof route);
        std::memcpy(head.data() + sizeof route, info, known.info_bytes);
        const auto head_bytes = static_cast<std::uint32_t>(sizeof route + known.info_bytes);
        Layer::send({deposit_kind, me, line.after(me), head_bytes + static_cast<std::uint32_t>(bytes)},
                    {head.data(), head_bytes, data, static_cast<std::uint32_t>(bytes)}, waiter);
    }

    /// A short message from a handler, which cannot wait.
    void answer(int me, int to, int context, const void* info) {
        const std::uint32_t bytes = contexts_[static_cast<std::size_t>(context)].info_bytes;
        Layer::reply(short_header(me, to, context, bytes, 0), {info, bytes});
    }

    bool advance() {
        bool any = false;
        while (!injections_.empty() && inject(injections_.front())) {
            Injection& sent = injections_.front();
            --sent.counter->pending;
            raise(sent.counter->rank);
            injections_.pop_front();
            any = true;
        }
        return any;
    }

    void on_packet(PacketHeader header, const std::byte* payload) {
        if (header.kind < begin_kind) {
            take_short(header, header.kind - short_kind, header.from, payload);
        } else if (header.kind < more_kind) {
            begin(header, payload);
        } else if (header.kind == more_kind) {
            go_on(header, payload);
        } else {
            take_deposit(header, payload);
        }
    }

    static constexpr std::size_t most_short = most_packet_bytes - most_info;

  private:
    static constexpr std::uint8_t short_kind = 1;
    static constexpr std::uint8_t begin_kind = short_kind + most_contexts;
    static constexpr std::uint8_t more_kind = begin_kind + most_contexts;
    static constexpr std::uint8_t deposit_kind = more_kind + 1;

    struct Context {
        MessageHandler handler;
        std::uint32_t info_bytes = 0;
        std::size_t most_bytes = 0;
    };
    struct Injection {
        int from, to, context;
        std::array<std::byte, most_info> info;
        const std::byte* data;
        std::size_t bytes, at;
        bool begun;
        InjectionCounter* counter;
    };
    struct Incoming {
        int context = 0;
        std::array<std::byte, most_info> info;
        std::byte* buffer = nullptr;
        std::size_t bytes = 0;
        std::size_t received = 0;
    };
    struct Deposit {
        TorusLine line;
        std::int32_t from = 0;
        std::int32_t context = 0;
    };

  public:
    static constexpr std::size_t most_deposit = most_packet_bytes - most_info - sizeof(Deposit);

  private:
    static PacketHeader short_header(int me, int to, int context, std::uint32_t info_bytes, std::size_t bytes) {
        return {static_cast<std::uint8_t>(short_kind + context), me, to,
                info_bytes + static_cast<std::uint32_t>(bytes)};
    }

    // True when all of the message has gone.
    bool inject(Injection& message) {
        const std::uint32_t info_bytes = contexts_[static_cast<std::size_t>(message.context)].info_bytes;
        if (message.bytes <= most_short) {
            return Layer::try_send(
                short_header(message.from, message.to, message.context, info_bytes, message.bytes),
                {message.info.data(), info_bytes, message.data, static_cast<std::uint32_t>(message.bytes)});
        }
        if (!message.begun) {
            const std::uint64_t total = message.bytes;
            std::array<std::byte, sizeof total + most_info> head;
            std::memcpy(head.data(), &total, sizeof total);
            std::memcpy(head.data() + sizeof total, message.info.data(), info_bytes);
            const auto head_bytes = static_cast<std::uint32_t>(sizeof total + info_bytes);
            const auto kind = static_cast<std::uint8_t>(begin_kind + message.context);
            if (!Layer::try_send({kind, message.from, message.to, head_bytes}, {head.data(), head_bytes})) return false;
            message.begun = true;
        }
        while (message.at < message.bytes) {
            const auto part = static_cast<std::uint32_t>(std::min(message.bytes - message.at, most_packet_bytes));
            if (!Layer::try_send({more_kind, message.from, message.to, part}, {message.data + message.at, part})) {
                return false;
            }
            message.at += part;
        }
        return true;
    }

    const Context& context_of(PacketHeader header, int context) const {
        if (context < 0 || context >= std::ssize(contexts_)) throw MessagingError::malformed(header.from, header.to);
        return contexts_[static_cast<std::size_t>(context)];
    }

    void take_short(PacketHeader header, int context, int from, const std::byte* payload) {
        const Context& known = context_of(header, context);
        if (header.bytes < known.info_bytes || header.bytes - known.info_bytes > known.most_bytes) {
            throw MessagingError::malformed(header.from, header.to);
        }
        const std::size_t bytes = header.bytes - known.info_bytes;
        const Arrival arrival{from, header.to, payload, bytes};
        std::byte* buffer = known.handler.receive(known.handler.user, arrival);
        if (bytes != 0) copy_bytes(buffer, payload + known.info_bytes, bytes);
        if (known.handler.done != nullptr) known.handler.done(known.handler.user, arrival, buffer);
    }

    void begin(PacketHeader header, const std::byte* payload) {
        const int context = header.kind - begin_kind;
        const Context& known = context_of(header, context);
        std::uint64_t total = 0;
        if (header.bytes != sizeof total + known.info_bytes) throw MessagingError::malformed(header.from, header.to);
        std::memcpy(&total, payload, sizeof total);
        if (total <= most_short || total > known.most_bytes || incoming_.contains({header.from, header.to})) {
            throw MessagingError::malformed(header.from, header.to);
        }
        Incoming& message = incoming_[{header.from, header.to}];
        message.context = context;
        message.bytes = total;
        std::memcpy(message.info.data(), payload + sizeof total, known.info_bytes);
        message.buffer =
            known.handler.receive(known.handler.user, {header.from, header.to, message.info.data(), total});
    }

    void go_on(PacketHeader header, const std::byte* payload) {
        const auto found = incoming_.find({header.from, header.to});
        if (found == incoming_.end() || header.bytes > found->second.bytes - found->second.received) {
            throw MessagingError::malformed(header.from, header.to);
        }
        Incoming& message = found->second;
        std::memcpy(message.buffer + message.received, payload, header.bytes);
        message.received += header.bytes;
        if (message.received < message.bytes) return;
        const MessageHandler& handler = contexts_[static_cast<std::size_t>(message.context)].handler;
        const Arrival arrival{header.from, header.to, message.info.data(), message.bytes};
        if (handler.done != nullptr) handler.done(handler.user, arrival, message.buffer);
        incoming_.erase(found);
    }

    void take_deposit(PacketHeader header, const std::byte* payload) {
        Deposit route;
        if (header.kind != deposit_kind || header.bytes < sizeof route) {
            throw MessagingError::malformed(header.from, header.to);
        }
        std::memcpy(&route, payload, sizeof route);
        if (!route.line.fits(this->ranks()) || !route.line.has(route.from) || !route.line.has(header.to)) {
            throw MessagingError::malformed(header.from, header.to);
        }
        const int next = route.line.after(header.to);
        if (next != route.from) {
            Layer::reply({deposit_kind, header.to, next, header.bytes}, {payload, header.bytes});
        }
        const PacketHeader rest{deposit_kind, route.from, header.to,
                                header.bytes - static_cast<std::uint32_t>(sizeof route)};
        take_short(rest, route.context, route.from, payload + sizeof route);
    }

    std::vector<Context> contexts_;
    std::deque<Injection> injections_;
    std::map<std::pair<int, int>, Incoming> incoming_;
};

}  // namespace narrows
