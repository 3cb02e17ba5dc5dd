#pragma once

#include <array>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "calibrate/messaging/injections.hpp"
#include "calibrate/messaging/message_layer.hpp"
#include "calibrate/messaging/torus_line.hpp"

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
/// the buffer for the payload (nullptr only for an empty one), and `done`, if there is one, is called when all of it is
/// there, which for a message of one packet is right after `receive`. Plain functions, since they are called for every
/// message; they may reply, but not wait.
struct MessageHandler {
    std::byte* (*receive)(void* user, const Arrival& arrival) = nullptr;
    void (*done)(void* user, const Arrival& arrival, const std::byte* payload) = nullptr;
    void* user = nullptr;
};

/// Active messages (kumar2008): contexts with handlers; send, put, get, multicast and many-to-many, all of which leave
/// the rank free to go on. What finds the network full is kept and replayed, up to `most_injections` messages; a rank
/// that posts more waits. Messages that a rank sends, posts or multicasts to another arrive in that order unless they
/// are relaxed (`Consistency`); a handler's answers and deposits along a line do not wait for what is kept.
template <class Endpoint>
class ActiveMessages : public MessageLayer<Endpoint, ActiveMessages<Endpoint>> {
    using Layer = MessageLayer<Endpoint, ActiveMessages<Endpoint>>;

  public:
    static constexpr int most_contexts = 64;
    static constexpr std::size_t most_info = Injection::most_info;
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
        if (info_bytes > most_info || context_count_ == most_contexts) {
            throw std::logic_error("register_context: too many contexts, or too much info");
        }
        contexts_[static_cast<std::size_t>(context_count_)] = {handler, static_cast<std::uint32_t>(info_bytes),
                                                               std::min(most_bytes, most_short), most_bytes};
        return context_count_++;
    }

    /// Sends; returns when `data` may be changed. `info` has the bytes that the context was registered with.
    template <class Waiter>
    [[gnu::always_inline]] void send(int me, int to, int context, const void* info, const void* data, std::size_t bytes,
                                     Waiter& waiter) {
        check_rank(to);
        const Context& known = contexts_[static_cast<std::size_t>(context)];
        if (!injections_.holds_ordered() && bytes <= known.most_at_once) {
            Layer::send(short_header(me, to, context, known.info_bytes, bytes),
                        {info, known.info_bytes, data, static_cast<std::uint32_t>(bytes)}, waiter);
        } else {
            post_and_wait(me, to, context, info, data, bytes, waiter);
        }
    }

    /// Sends without waiting for the network: `data` must stay as they are until `counter.pending` is 0, which the
    /// counter's callback tells. `sequential` messages are waited for.
    template <class Waiter>
    void post(int me, int to, int context, const void* info, const void* data, std::size_t bytes,
              InjectionCounter& counter, Waiter& waiter, Consistency consistency = Consistency::ordered) {
        check(me, to, context, bytes);
        // Room comes when another rank's message has gone, which raises that rank only.
        wait_until(
            me, waiter, [this] { return injections_.size() < most_injections; }, true);
        keep(me, to, context, info, data, bytes, counter, consistency == Consistency::relaxed);
        advance();
        if (consistency == Consistency::sequential) fence(me, to, waiter);
    }

    /// The same from a handler, which cannot wait: ordered, kept however many are, and gone on with by `poll`.
    void post_from_handler(int me, int to, int context, const void* info, const void* data, std::size_t bytes,
                           InjectionCounter& counter) {
        check(me, to, context, bytes);
        keep(me, to, context, info, data, bytes, counter, false);
    }

    /// Waits until all ordered messages of `me` to `to` have been handled there.
    template <class Waiter>
    void fence(int me, int to, Waiter& waiter) {
        check_rank(to);
        wait_until(
            me, waiter, [this] { return !injections_.holds_ordered(); }, true);
        const std::uint64_t answered = fences_[static_cast<std::size_t>(me)];
        Layer::send({fence_kind, me, to, 0}, {}, waiter);
        wait_until(me, waiter, [this, me, answered] { return fences_[static_cast<std::size_t>(me)] != answered; });
    }

    /// The same message to every one of `ranks`.
    template <class Waiter>
    void multicast(int me, std::span<const int> ranks, int context, const void* info, const void* data,
                   std::size_t bytes, Waiter& waiter) {
        // Before any has gone, since those that wait need the counter.
        for (const int to : ranks) check(me, to, context, bytes);
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
        for (const Message& message : messages) check(me, message.to, context, message.bytes);
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
        check(me, line.after(me), context, bytes);
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
        if (injections_.empty()) return false;
        return injections_.advance([this](Injection& message) { return inject(message); },
                                   [this](const Injection& message) {
                                       raise(message.counter->rank);
                                       message.counter->count_down();
                                   });
    }

    void on_packet(PacketHeader header, const std::byte* payload) {
        if (header.kind < begin_kind) {
            take_short(header, static_cast<int>(header.kind - short_kind), header.from, payload);
        } else if (header.kind < more_kind) {
            begin(header, payload);
        } else if (header.kind == more_kind) {
            go_on(header, payload);
        } else if (header.kind == deposit_kind) {
            take_deposit(header, payload);
        } else {
            take_fence(header);
        }
    }

    static constexpr std::size_t most_short = Injection::most_short;

  private:
    static constexpr PacketKind short_kind = 1;
    static constexpr PacketKind begin_kind = short_kind + most_contexts;
    static constexpr PacketKind more_kind = begin_kind + most_contexts;
    static constexpr PacketKind deposit_kind = more_kind + 1;
    static constexpr PacketKind fence_kind = deposit_kind + 1;
    static constexpr PacketKind fence_answer_kind = fence_kind + 1;

    struct alignas(64) Context {
        MessageHandler handler;
        std::uint32_t info_bytes = 0;
        std::size_t most_at_once = 0;  ///< of those that may be sent, what goes in one packet
        std::size_t most_bytes = 0;
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
        return {static_cast<PacketKind>(context) + short_kind, me, to, info_bytes + static_cast<std::uint32_t>(bytes)};
    }

    void check_rank(int to) const {
        if (to < 0 || to >= this->ranks()) [[unlikely]]
            throw MessagingError::unknown_rank(to, this->ranks());
    }

    // A message that its receiver would have to refuse is its sender's error, as one to nobody is.
    void check(int me, int to, int context, std::size_t bytes) const {
        check_rank(to);
        const std::size_t most = contexts_[static_cast<std::size_t>(context)].most_bytes;
        if (bytes > most) throw MessagingError::beyond_context(me, to, bytes, most);
    }

    void keep(int me, int to, int context, const void* info, const void* data, std::size_t bytes,
              InjectionCounter& counter, bool relaxed) {
        Injection& message = injections_.add(
            {me, to, context, {}, static_cast<const std::byte*>(data), bytes, 0, false, &counter}, relaxed);
        const std::uint32_t info_bytes = contexts_[static_cast<std::size_t>(context)].info_bytes;
        if (info_bytes != 0) std::memcpy(message.info.data(), info, info_bytes);
        ++counter.pending;
    }

    template <class Waiter>
    [[gnu::noinline]] void post_and_wait(int me, int to, int context, const void* info, const void* data,
                                         std::size_t bytes, Waiter& waiter) {
        InjectionCounter counter{me};
        post(me, to, context, info, data, bytes, counter, waiter);
        wait_until(me, waiter, [&counter] { return counter.pending == 0; });
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
            const auto kind = begin_kind + static_cast<PacketKind>(message.context);
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
        if (static_cast<unsigned>(context) >= static_cast<unsigned>(context_count_)) [[unlikely]] {
            throw MessagingError::malformed(header.from, header.to);
        }
        return contexts_[static_cast<std::size_t>(context)];
    }

    void take_short(PacketHeader header, int context, int from, const std::byte* payload) {
        const Context& known = context_of(header, context);
        // Less than the info wraps around to more than any.
        const std::size_t bytes = std::size_t{header.bytes} - known.info_bytes;
        if (bytes > known.most_bytes) [[unlikely]]
            throw MessagingError::malformed(header.from, header.to);
        const Arrival arrival{from, header.to, payload, bytes};
        std::byte* buffer = known.handler.receive(known.handler.user, arrival);
        if (bytes != 0) copy_bytes(buffer, payload + known.info_bytes, bytes);
        if (known.handler.done != nullptr) known.handler.done(known.handler.user, arrival, buffer);
    }

    [[gnu::noinline]] void begin(PacketHeader header, const std::byte* payload) {
        const auto context = static_cast<int>(header.kind - begin_kind);
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

    [[gnu::noinline]] void go_on(PacketHeader header, const std::byte* payload) {
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

    [[gnu::noinline]] void take_deposit(PacketHeader header, const std::byte* payload) {
        Deposit route;
        if (header.bytes < sizeof route) throw MessagingError::malformed(header.from, header.to);
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

    // What `header.from` sent before has been handled: packets between two processes keep their order.
    [[gnu::noinline]] void take_fence(PacketHeader header) {
        if (header.bytes != 0 || header.kind > fence_answer_kind) {
            throw MessagingError::malformed(header.from, header.to);
        }
        if (header.kind == fence_kind) return Layer::reply({fence_answer_kind, header.to, header.from, 0}, {});
        ++fences_[static_cast<std::size_t>(header.to)];
        raise(header.to);
    }

    std::array<Context, most_contexts> contexts_;
    int context_count_ = 0;
    Injections injections_;
    std::vector<std::uint64_t> fences_ = std::vector<std::uint64_t>(static_cast<std::size_t>(this->ranks()));
    std::map<std::pair<int, int>, Incoming> incoming_;
};

}  // namespace narrows
