#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "calibrate/messaging/gateway_memory.hpp"
#include "calibrate/messaging/gateway_node.hpp"
#include "calibrate/messaging/message_layer.hpp"
#include "calibrate/messaging/messages.hpp"

namespace narrows {

/// Receiver-initiated messages between ranks in domains (pakin2009, "Cell Messaging Layer"). Within a domain they are
/// as in receiver_initiated.hpp. Beyond it a rank knows only its controller: a receiver puts its descriptor into a slot
/// of the controller's send queue, from where it goes to the sender's controller; a sender puts its message into a
/// slot, and when the descriptor is there the message goes controller → host → host → controller → rank. Each leg
/// carries the whole message before the next begins, unless the shape says `overlap`.
///
/// The gateways are fibers or threads after the ranks, and must run `run_gateway`; in virtual time they are servers.
/// Every rank calls `finish` at its end.
template <class Endpoint>
class GatewayMessages : public MessageLayer<Endpoint, GatewayMessages<Endpoint>> {
    using Layer = MessageLayer<Endpoint, GatewayMessages<Endpoint>>;
    static_assert(Endpoint::shares_memory, "a rank shares memory with its controller");

  public:
    /// `layout` is of all ranks and gateways.
    GatewayMessages(Endpoint& endpoint, const RankLayout& layout, GatewayMemory& memory)
        : Layer(endpoint, layout),
          memory_(memory),
          shape_(memory.shape()),
          direct_(memory.descriptors(), memory.bells()),
          nodes_(static_cast<std::size_t>(shape_.gateways())) {}

    /// Without the gateways.
    int ranks() const { return shape_.ranks; }

    /// Returns when the message is in the receiver's buffer or on its way there.
    template <class Waiter>
    void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        check_peer(me, to, shape_.ranks, tag);
        if (shape_.are_near(me, to)) return direct_.send(me, to, tag, data, bytes, waiter);
        memory_.link(me).set(RankLink::waiting);
        put_slot(me, waiter, [&](GatewaySlot& slot) {
            set_slot(slot, GatewaySlot::send, me, to, tag);
            slot.bytes = bytes;
            slot.address = static_cast<const std::byte*>(data);
            if (bytes <= most_copied_by_controller) copy_bytes(slot.data, data, bytes);
        });
        wait_for_link(me, waiter);
    }

    template <class Waiter>
    std::size_t receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        check_peer(me, from, shape_.ranks, tag);
        if (shape_.are_near(me, from)) {
            return direct_.receive(me, from, tag, buffer, capacity, waiter);
        }
        RankLink& link = memory_.link(me);
        open_link(link, from, buffer, capacity);
        put_slot(me, waiter, [&](GatewaySlot& slot) {
            set_slot(slot, GatewaySlot::receive, from, me, tag);
            slot.bytes = 0;
            slot.capacity = capacity;
        });
        if (wait_for_link(me, waiter) == RankLink::fetch) {
            std::memcpy(buffer, link.data, link.bytes);
        }
        return link.bytes;
    }

    /// In virtual time: when a gateway that is free from `free` on next does something.
    double turn(int id, double free) {
        const Parcel* next = node(id).first_ready();
        return next == nullptr ? std::numeric_limits<double>::infinity() : std::max(free, next->time);
    }

    /// In virtual time: does that.
    void serve(int id, ServerClock& clock) {
        GatewayNode& own = node(id);
        Parcel next = own.take_ready(own.first_ready());
        clock.advance_to(next.time);
        clock.spend(next.service);
        take(id, next, clock);
    }

    /// To be called by each rank when it will send and receive no more.
    void finish(int) { memory_.finish(); }

    /// What the fiber or thread of a gateway does, until all ranks have finished.
    template <class Waiter>
    void run_gateway(int id, Waiter& waiter) {
        GatewayNode& own = node(id);
        const bool has_slots = !shape_.is_host(id);
        const auto has_work = [&] { return own.has_ready() || (has_slots && any_full(id)); };
        while (true) {
            memory_.bells().wait_until(
                id, waiter, [&] { return has_work() || memory_.finished(); }, [this] { return this->poll(); });
            if (!has_work()) return;
            if (has_slots) take_slots(id, waiter);
            for (Parcel& parcel : own.take_ready()) handle(id, parcel, waiter);
        }
    }

  private:
    friend Layer;

    static constexpr std::size_t most_piece = most_packet_bytes - sizeof(ParcelHead);

    // What ranks do.

    static void set_slot(GatewaySlot& slot, GatewaySlot::Kind kind, int from, int to, int tag) {
        slot.kind = kind;
        slot.from = from;
        slot.to = to;
        slot.tag = tag;
    }
    static void open_link(RankLink& link, int source, void* target, std::size_t capacity) {
        link.source = source;
        link.target = static_cast<std::byte*>(target);
        link.capacity = capacity;
        link.set(RankLink::waiting);
    }

    template <class Waiter, class Fill>
    void put_slot(int me, Waiter& waiter, const Fill& fill) {
        const int domain = shape_.domain_of(me);
        GatewaySlot* slot = memory_.claim_slot(me);
        if (slot == nullptr) {
            memory_.waiting(domain).fetch_add(1);
            memory_.bells().wait_until(me, waiter, [&] {
                slot = memory_.claim_slot(me);
                return slot != nullptr;
            });
            memory_.waiting(domain).fetch_sub(1);
        }
        fill(*slot);
        slot->fill();
        if constexpr (VirtualTime<Waiter>) {
            const ParcelKind kind = slot->kind == GatewaySlot::receive ? ParcelKind::descriptor : ParcelKind::message;
            const double time = waiter.now() + memory_.costs().gateways.to_controller;
            arrive(shape_.controller(domain), {kind, head_of(*slot), {}, time, 0, slot});
        } else {
            memory_.bells().ring(shape_.controller(domain));
        }
    }

    template <class Waiter>
    RankLink::State wait_for_link(int me, Waiter& waiter) {
        RankLink& link = memory_.link(me);
        memory_.bells().wait_until(me, waiter, [&link] { return link.now() != RankLink::waiting; });
        if constexpr (VirtualTime<Waiter>) waiter.advance_to(link.time);
        return link.now();
    }

    // What gateways do.

    GatewayNode& node(int id) { return nodes_[static_cast<std::size_t>(id - shape_.ranks)]; }

    // In virtual time: how long a gateway is busy with a parcel.
    double service_time(int id, const Parcel& parcel) const {
        const GatewayCost& cost = memory_.costs().gateways;
        const bool request = parcel.kind == ParcelKind::descriptor;
        const bool leaves = shape_.domain_of(id) == shape_.domain_of(request ? parcel.head.to : parcel.head.from);
        if (leaves == shape_.is_host(id)) return 0;
        return request ? cost.request : cost.message;
    }

    // In virtual time: a parcel, or what is in a slot, will be at a gateway at `parcel.time`. What keeps nobody busy is
    // seen to at once, since nothing that comes before it changes what becomes of it.
    void arrive(int id, Parcel parcel) {
        parcel.service = service_time(id, parcel);
        if (parcel.service == 0) {
            ServerClock then(parcel.time);
            return take(id, parcel, then);
        }
        node(id).take_in(std::move(parcel));
        memory_.bells().ring(id);
    }

    void take(int id, Parcel& parcel, ServerClock& clock) {
        if (parcel.slot == nullptr) return handle(id, parcel, clock);
        handle_slot(id, *parcel.slot, clock);
        memory_.release_slot(shape_.domain_of(id), *parcel.slot);
    }

    bool any_full(int controller) const {
        GatewaySlot* first = memory_.slots(shape_.domain_of(controller));
        return std::any_of(first, first + shape_.slots, [](GatewaySlot& slot) { return slot.is_full(); });
    }

    template <class Waiter>
    void take_slots(int controller, Waiter& waiter) {
        const int domain = shape_.domain_of(controller);
        GatewaySlot* first = memory_.slots(domain);
        for (GatewaySlot* slot = first; slot != first + shape_.slots; ++slot) {
            if (!slot->is_full()) continue;
            handle_slot(controller, *slot, waiter);
            memory_.release_slot(domain, *slot);
        }
    }

    static ParcelHead head_of(const GatewaySlot& slot) {
        return {slot.from, slot.to, slot.tag, 0, slot.bytes, 0, slot.capacity};
    }

    template <class Waiter>
    void handle_slot(int controller, const GatewaySlot& slot, Waiter& waiter) {
        const ParcelHead head = head_of(slot);
        if (slot.kind == GatewaySlot::receive) {
            forward(controller, ParcelKind::descriptor, head, nullptr, 0, waiter);
        } else if (WaitingEnd* descriptor = node(controller).find_descriptor(slot.from, slot.to)) {
            send_on(controller, head, descriptor->head, slot.content(), later(waiter, descriptor->time));
            node(controller).erase_descriptor(descriptor);
        } else {
            node(controller).keep_send(slot, head, now(waiter));
        }
    }

    template <class Waiter>
    void handle(int id, Parcel& parcel, Waiter& waiter) {
        if (!is_last(id, parcel.kind, parcel.head)) {
            forward(id, parcel, waiter);
        } else if (parcel.kind == ParcelKind::descriptor) {
            take_descriptor(id, parcel.head, waiter);
        } else {
            deliver(id, parcel, waiter);
        }
    }

    bool is_last(int id, ParcelKind kind, const ParcelHead& head) const {
        return shape_.next_hop(id, target_domain(kind, head)) == id;
    }
    int target_domain(ParcelKind kind, const ParcelHead& head) const {
        return shape_.domain_of(kind == ParcelKind::descriptor ? head.from : head.to);
    }

    int hop(int id, ParcelKind kind, const ParcelHead& head) const {
        return shape_.next_hop(id, target_domain(kind, head));
    }

    // Sends a parcel, or a piece of one that begins at its head's offset, one gateway further.
    template <class Waiter>
    void forward(int id, ParcelKind kind, const ParcelHead& head, const std::byte* data, std::size_t bytes,
                 Waiter& waiter) {
        if constexpr (VirtualTime<Waiter>) {
            hand_over(id, {kind, head, std::vector<std::byte>(data, data + bytes), 0, 0, nullptr}, waiter);
        } else {
            send_pieces(id, kind, head, data, bytes, waiter);
        }
    }
    template <class Waiter>
    void forward(int id, Parcel& parcel, Waiter& waiter) {
        if constexpr (VirtualTime<Waiter>) {
            hand_over(id, std::move(parcel), waiter);
        } else {
            send_pieces(id, parcel.kind, parcel.head, parcel.data.data(), parcel.data.size(), waiter);
        }
    }

    template <class Waiter>
    void send_pieces(int id, ParcelKind kind, ParcelHead head, const std::byte* data, std::size_t bytes,
                     Waiter& waiter) {
        const int to = hop(id, kind, head);
        std::size_t at = 0;
        do {
            const auto piece = static_cast<std::uint32_t>(std::min(bytes - at, most_piece));
            const auto all = static_cast<std::uint32_t>(sizeof head) + piece;
            Layer::send({static_cast<PacketKind>(kind), id, to, all},
                        {&head, sizeof head, piece != 0 ? data + at : nullptr, piece}, waiter);
            at += piece;
            head.offset += piece;
        } while (at < bytes);
    }

    // In virtual time a parcel goes whole, and needs a leg's time.
    void hand_over(int id, Parcel parcel, const ServerClock& clock) {
        const int to = hop(id, parcel.kind, parcel.head);
        parcel.time = clock.now() + leg_time(id, to, parcel.data.size());
        arrive(to, std::move(parcel));
    }

    double leg_time(int from, int to, std::size_t bytes) const {
        const GatewayCost& cost = memory_.costs().gateways;
        const bool hosts = shape_.is_host(from) && shape_.is_host(to);
        const LegCost& leg = hosts ? cost.between_hosts : cost.between_controller_and_host;
        return leg.latency + static_cast<double>(bytes) * leg.per_byte;
    }

    // The rank goes on when what a gateway did has reached it.
    template <class Waiter>
    void release_link(RankLink& link, RankLink::State state, int rank, Waiter& waiter) {
        if constexpr (VirtualTime<Waiter>) link.time = waiter.now() + memory_.costs().gateways.from_controller;
        link.set(state);
        memory_.bells().ring(rank);
    }

    template <class Waiter>
    void take_descriptor(int controller, const ParcelHead& descriptor, Waiter& waiter) {
        GatewayNode& own = node(controller);
        WaitingEnd* send = own.find_send(descriptor.from, descriptor.to);
        if (send == nullptr) return own.keep_descriptor(descriptor, now(waiter));
        send_on(controller, send->head, descriptor, send->content(), later(waiter, send->time));
        own.erase_send(send);
    }

    // The time, where it is virtual.
    template <class Waiter>
    static double now(const Waiter& waiter) {
        if constexpr (VirtualTime<Waiter>) return waiter.now();
        return 0;
    }
    // What needs this and something that is there at `time` goes on at the later of both.
    template <class Waiter>
    static decltype(auto) later(Waiter& waiter, double time) {
        if constexpr (VirtualTime<Waiter>) {
            return ServerClock(std::max(waiter.now(), time));
        } else {
            return (waiter);
        }
    }

    // Sends a message for which the descriptor is there, and lets its sender go.
    template <class Waiter>
    void send_on(int controller, const ParcelHead& head, const ParcelHead& descriptor, const std::byte* data,
                 Waiter&& waiter) {
        check_descriptor({nullptr, 0, descriptor.capacity, descriptor.tag, 0}, head.from, head.to, head.tag,
                         head.bytes);
        forward(controller, ParcelKind::message, head, data, head.bytes, waiter);
        release_link(memory_.link(head.from), RankLink::done, head.from, waiter);
    }

    template <class Waiter>
    void deliver(int controller, Parcel& parcel, Waiter& waiter) {
        const ParcelHead& head = parcel.head;
        RankLink& link = memory_.link(head.to);
        if (link.now() != RankLink::waiting || link.source != head.from || head.bytes > link.capacity) {
            throw MessagingError::malformed(head.from, head.to);
        }
        link.bytes = head.bytes;
        if (head.bytes <= most_copied_by_controller) {
            copy_bytes(link.target, parcel.data.data(), head.bytes);
            release_link(link, RankLink::done, head.to, waiter);
        } else {
            link.data = node(controller).hold(head.to % shape_.domain, shape_.domain, std::move(parcel.data));
            release_link(link, RankLink::fetch, head.to, waiter);
        }
    }

    void on_packet(PacketHeader header, const std::byte* payload) {
        ParcelHead head;
        const auto kind = static_cast<ParcelKind>(header.kind);
        if (header.to < shape_.ranks || header.to >= shape_.total() || header.bytes < sizeof head ||
            kind > ParcelKind::message) {
            throw MessagingError::malformed(header.from, header.to);
        }
        std::memcpy(&head, payload, sizeof head);
        const std::size_t bytes = header.bytes - sizeof head;
        if (head.from < 0 || head.from >= shape_.ranks || head.to < 0 || head.to >= shape_.ranks ||
            head.offset > head.bytes || bytes > head.bytes - head.offset) {
            throw MessagingError::malformed(header.from, header.to);
        }
        GatewayNode& own = node(header.to);
        own.take_in(kind, head, payload + sizeof head, bytes, !shape_.overlap || is_last(header.to, kind, head));
        memory_.bells().ring(header.to);
    }

    GatewayMemory& memory_;
    GatewayShape shape_;
    DirectMessages direct_;
    std::vector<GatewayNode> nodes_;
};

}  // namespace narrows
