#pragma once

#include <array>
#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

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
/// the buffer for the payload (nullptr only for an empty one), and `done`, if there is one, is called when all of it is
/// there, which for a message of one packet is right after `receive`. Plain functions, since they are called for every
/// message; they may neither send nor wait.
struct MessageHandler {
    std::byte* (*receive)(void* user, const Arrival& arrival) = nullptr;
    void (*done)(void* user, const Arrival& arrival) = nullptr;
    void* user = nullptr;
};

/// Active messages (kumar2008): contexts with handlers; send, put and get. Messages that a rank sends to another arrive
/// in that order.
template <class Endpoint>
class ActiveMessages : public MessageLayer<Endpoint, ActiveMessages<Endpoint>> {
    using Layer = MessageLayer<Endpoint, ActiveMessages<Endpoint>>;

  public:
    static constexpr int most_contexts = 64;
    static constexpr std::size_t most_info = 64;
    /// Payload that goes in one packet, with its info.
    static constexpr std::size_t most_short = most_packet_bytes - most_info;

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
        if (bytes <= known.most_at_once) {
            Layer::send(short_header(me, to, context, known.info_bytes, bytes),
                        {info, known.info_bytes, data, static_cast<std::uint32_t>(bytes)}, waiter);
        } else {
            send_long(me, to, context, info, static_cast<const std::byte*>(data), bytes, waiter);
        }
    }

    void on_packet(PacketHeader header, const std::byte* payload) {
        if (header.kind < begin_kind) {
            take_short(header, static_cast<int>(header.kind - short_kind), header.from, payload);
        } else if (header.kind < more_kind) {
            begin(header, payload);
        } else if (header.kind == more_kind) {
            go_on(header, payload);
        } else {
            throw MessagingError::malformed(header.from, header.to);
        }
    }

  private:
    static constexpr PacketKind short_kind = 1;
    static constexpr PacketKind begin_kind = short_kind + most_contexts;
    static constexpr PacketKind more_kind = begin_kind + most_contexts;

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

    static PacketHeader short_header(int me, int to, int context, std::uint32_t info_bytes, std::size_t bytes) {
        return {static_cast<PacketKind>(context) + short_kind, me, to, info_bytes + static_cast<std::uint32_t>(bytes)};
    }

    void check_rank(int to) const {
        if (to < 0 || to >= this->ranks()) [[unlikely]]
            throw MessagingError::unknown_rank(to, this->ranks());
    }

    // A message that its receiver would have to refuse is its sender's error, as one to nobody is.
    template <class Waiter>
    [[gnu::noinline]] void send_long(int me, int to, int context, const void* info, const std::byte* data,
                                     std::size_t bytes, Waiter& waiter) {
        const Context& known = contexts_[static_cast<std::size_t>(context)];
        if (bytes > known.most_bytes) throw MessagingError::beyond_context(me, to, bytes, known.most_bytes);
        const std::uint64_t total = bytes;
        std::array<std::byte, sizeof total + most_info> head;
        std::memcpy(head.data(), &total, sizeof total);
        if (known.info_bytes != 0) std::memcpy(head.data() + sizeof total, info, known.info_bytes);
        const auto head_bytes = static_cast<std::uint32_t>(sizeof total + known.info_bytes);
        Layer::send({static_cast<PacketKind>(begin_kind + context), me, to, head_bytes}, {head.data(), head_bytes},
                    waiter);
        for (std::size_t at = 0; at < bytes;) {
            const auto part = static_cast<std::uint32_t>(std::min(bytes - at, most_packet_bytes));
            Layer::send({more_kind, me, to, part}, {data + at, part}, waiter);
            at += part;
        }
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
        if (known.handler.done != nullptr) known.handler.done(known.handler.user, arrival);
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
        if (handler.done != nullptr) handler.done(handler.user, arrival);
        incoming_.erase(found);
    }

    std::array<Context, most_contexts> contexts_;
    int context_count_ = 0;
    std::map<std::pair<int, int>, Incoming> incoming_;
};

}  // namespace narrows
