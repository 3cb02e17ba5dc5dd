#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "calibrate/messaging/descriptors.hpp"
#include "calibrate/messaging/message_layer.hpp"
#include "calibrate/messaging/messages.hpp"
#include "calibrate/messaging/protocol.hpp"

namespace narrows {

/// What all ranks of a receiver-initiated run share, or, without shared memory, what the ranks of one process have.
struct ReceiverInitiatedMemory {
    /// The ranks [first, last), which exchange messages with all.
    ReceiverInitiatedMemory(const RankLayout& layout, int first, int last)
        : descriptors(layout.ranks, first, last), bells(layout) {}
    explicit ReceiverInitiatedMemory(const RankLayout& layout) : ReceiverInitiatedMemory(layout, 0, layout.ranks) {}

    DescriptorMemory descriptors;
    Bells bells;
};

/// Receiver-initiated messages (pakin2009, "Cell Messaging Layer"): the receiver tells the sender where the message is
/// to go, the sender puts the data there and then the completion flag. Sending is synchronous; a receive names its
/// source.
///
/// Without shared memory descriptors travel as packets, data are put segment by segment, and the last segment carries
/// the completion flag.
template <class Endpoint>
class ReceiverInitiated : public MessageLayer<Endpoint, ReceiverInitiated<Endpoint>> {
    using Layer = MessageLayer<Endpoint, ReceiverInitiated<Endpoint>>;

  public:
    ReceiverInitiated(Endpoint& endpoint, const RankLayout& layout, ReceiverInitiatedMemory& memory)
        : Layer(endpoint, layout),
          memory_(memory),
          direct_(memory.descriptors, memory.bells),
          pending_(Endpoint::shares_memory ? 0 : static_cast<std::size_t>(layout.ranks)) {}

    /// Returns when the message is in the receiver's buffer, or on its way there and `data` may be changed.
    template <class Waiter>
    void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        check_peer(me, to, this->ranks(), tag);
        if constexpr (Endpoint::shares_memory) {
            direct_.send(me, to, tag, data, bytes, waiter);
        } else {
            send_packets(me, to, tag, static_cast<const std::byte*>(data), bytes, waiter);
        }
    }

    template <class Waiter>
    std::size_t receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        check_peer(me, from, this->ranks(), tag);
        if constexpr (Endpoint::shares_memory) {
            return direct_.receive(me, from, tag, buffer, capacity, waiter);
        } else {
            return receive_packets(me, from, tag, buffer, capacity, waiter);
        }
    }

  private:
    friend Layer;

    static constexpr PacketKind descriptor_kind = 1;
    static constexpr PacketKind completion_kind = 2;

    struct DescriptorPacket {
        RemoteMemory target;
        std::uint64_t capacity;
        std::int32_t tag;
        std::uint32_t number;
    };
    struct CompletionPacket {
        std::uint64_t bytes;
        std::uint64_t number;
    };
    static constexpr int nobody = -1;
    /// The receive that a rank of this process waits for.
    struct Pending {
        int from = nobody;
        std::byte* buffer = nullptr;
        std::size_t capacity = 0;
        RemoteMemory target;
    };

    // Of a message's end goes with the completion flag.
    static constexpr std::size_t most_with_completion = most_packet_bytes - sizeof(CompletionPacket);

    template <class Waiter>
    void send_packets(int me, int to, int tag, const std::byte* data, std::size_t bytes, Waiter& waiter) {
        Descriptor& descriptor = memory_.descriptors.descriptor(me, to);
        std::uint32_t& sent = memory_.descriptors.sent(me, to);
        this->wait_until(me, waiter, [&] { return descriptor.posted() != sent; });
        check_descriptor(descriptor, me, to, tag, bytes);
        const std::size_t last = std::min(bytes, most_with_completion);
        const RemoteMemory target{descriptor.token, descriptor.capacity};
        if (bytes != last) this->put(me, to, target, data, bytes - last, waiter);
        const CompletionPacket packet{bytes, ++sent};
        Layer::send({completion_kind, me, to, static_cast<std::uint32_t>(sizeof packet + last)},
                    {&packet, sizeof packet, data + (bytes - last), static_cast<std::uint32_t>(last)}, waiter);
    }

    template <class Waiter>
    std::size_t receive_packets(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        Completion& completion = memory_.descriptors.completion(me, from);
        const std::uint32_t before = completion.completed();
        Pending& pending = pending_[static_cast<std::size_t>(me)];
        pending = {from, static_cast<std::byte*>(buffer), capacity, {}};
        if (capacity > most_with_completion) pending.target = this->expose(me, buffer, capacity);
        const DescriptorPacket packet{pending.target, capacity, tag, before + 1};
        Layer::send({descriptor_kind, me, from, sizeof packet}, {&packet, sizeof packet}, waiter);
        this->wait_until(me, waiter, [&] { return completion.completed() != before; });
        return completion.bytes;
    }

    void on_packet(PacketHeader header, const std::byte* payload) {
        if (header.to >= this->ranks() || header.from >= this->ranks() || !memory_.descriptors.has(header.to)) {
            throw MessagingError::malformed(header.from, header.to);
        }
        if (header.kind == descriptor_kind && header.bytes == sizeof(DescriptorPacket)) {
            DescriptorPacket packet;
            std::memcpy(&packet, payload, sizeof packet);
            Descriptor& descriptor = memory_.descriptors.descriptor(header.to, header.from);
            descriptor.token = packet.target.place;
            descriptor.capacity = packet.capacity;
            descriptor.tag = packet.tag;
            descriptor.post(packet.number);
        } else if (header.kind == completion_kind && header.bytes >= sizeof(CompletionPacket)) {
            CompletionPacket packet;
            std::memcpy(&packet, payload, sizeof packet);
            complete(header, packet, payload + sizeof packet, header.bytes - sizeof packet);
        } else {
            throw MessagingError::malformed(header.from, header.to);
        }
        this->raise(header.to);
    }

    void complete(PacketHeader header, const CompletionPacket& packet, const std::byte* data, std::size_t bytes) {
        Pending& pending = pending_[static_cast<std::size_t>(header.to)];
        Completion& completion = memory_.descriptors.completion(header.to, header.from);
        const bool exposed = pending.capacity > most_with_completion;
        if (pending.from != header.from || packet.bytes > pending.capacity || bytes > packet.bytes ||
            packet.number != completion.completed() + 1 ||
            packet.bytes - bytes != (exposed ? this->written(pending.target) : 0)) {
            throw MessagingError::malformed(header.from, header.to);
        }
        if (bytes != 0) std::memcpy(pending.buffer + (packet.bytes - bytes), data, bytes);
        if (exposed) this->withdraw(pending.target);
        pending.from = nobody;
        completion.bytes = packet.bytes;
        completion.complete(static_cast<std::uint32_t>(packet.number));
    }

    ReceiverInitiatedMemory& memory_;
    DirectMessages direct_;
    std::vector<Pending> pending_;
};

template <>
struct ProtocolOf<Protocol::receiver_initiated> {
    static constexpr ProtocolRecord record = {
        .name = "receiver-initiated",
        .source = "pakin2009",
        .memory = [](int ranks) { return static_cast<std::size_t>(ranks) * DescriptorMemory::bytes_per_rank(ranks); },
        .longest_free = 0};
    using Memory = ReceiverInitiatedMemory;
    using Maker = ProtocolOf;

    template <class Endpoint>
    static auto make(Endpoint& endpoint, const RankLayout& layout, Memory& memory, const ProtocolRecord& /*record*/) {
        return std::make_unique<ReceiverInitiated<Endpoint>>(endpoint, layout, memory);
    }
};

}  // namespace narrows
