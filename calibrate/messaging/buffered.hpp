#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "calibrate/messaging/buffered_memory.hpp"
#include "calibrate/messaging/message_layer.hpp"
#include "calibrate/messaging/messages.hpp"
#include "calibrate/messaging/protocol.hpp"

namespace narrows {

/// The buffered protocol (kumar2007, Section 3.2): the sender copies its message to its own area and writes an entry to
/// its queue in the receiver's memory; the receiver finds the entry, copies the message and marks the entry invalid.
/// Messages of more than `most_buffered_bytes` are synchronous: the entry says where the sender has them.
///
/// Without shared memory the entry and the message travel as a packet, which the receiver's process files in the same
/// queues; a synchronous message is announced, fetched and acknowledged.
template <class Endpoint>
class Buffered : public MessageLayer<Endpoint, Buffered<Endpoint>> {
    using Layer = MessageLayer<Endpoint, Buffered<Endpoint>>;

  public:
    /// `memory`: one for all processes when they share memory, else with the queues of this process's ranks.
    Buffered(Endpoint& endpoint, const RankLayout& layout, BufferedMemory& memory)
        : Layer(endpoint, layout),
          memory_(memory),
          last_(static_cast<std::size_t>(layout.ranks)),
          gives_back_later_(layout.threads() &&
                            static_cast<std::size_t>(layout.ranks) < BufferedMemory::area_blocks(layout.ranks)) {}

    /// Returns when the message is in this rank's area, or received if it is longer than `most_buffered_bytes`.
    template <class Waiter>
    void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        check_peer(me, to, this->ranks(), tag);
        if constexpr (Endpoint::shares_memory) {
            send_shared(me, to, {true, {}, tag, bytes}, data, waiter);
        } else {
            send_packet(me, to, {true, {}, tag, bytes}, data, waiter);
        }
    }

    template <class Waiter>
    std::size_t receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        check_peer(me, from, this->ranks(), tag);
        give_back_last(me);
        QueueSlot* slot = find(me, from, tag);
        if (slot == nullptr) {
            if constexpr (!Endpoint::shares_memory) give_back_all(me, from);
            wait_until(me, waiter, [&] {
                slot = find(me, from, tag);
                return slot != nullptr;
            });
        }
        return take(me, {from, slot}, static_cast<std::byte*>(buffer), capacity, waiter);
    }

  private:
    friend Layer;
    using Place = EntryWord::Place;

    static constexpr PacketKind message_kind = 1;
    static constexpr PacketKind slots_kind = 2;

    struct Found {
        int source = 0;
        QueueSlot* slot = nullptr;
    };
    /// What comes before a message in a packet. `freed`: slots of the queue in the other direction.
    struct PacketHead {
        std::uint64_t freed;
        std::uint64_t entry;
    };
    struct Announcement {
        PacketHead head;
        RemoteMemory memory;
    };

    template <class Waiter, class Done>
    void wait_until(int rank, Waiter& waiter, const Done& done) {
        if constexpr (Endpoint::shares_memory) {
            memory_.bells().wait_until(rank, waiter, done);
        } else {
            Layer::wait_until(rank, waiter, done);
        }
    }

    // Sending in shared memory.

    template <class Waiter>
    void send_shared(int me, int to, EntryWord entry, const void* data, Waiter& waiter) {
        SendingEnd& end = memory_.sending_end(me, to);
        QueueSlot* queue = memory_.queue(to, me);
        if (end.free_ahead == 0) wait_until(me, waiter, [&] { return look_ahead(me, to); });
        QueueSlot& slot = queue[end.tail & (memory_.entries() - 1)];
        entry.place = place_of(entry.bytes);
        if (entry.place == Place::beside) {
            copy_bytes(slot.beside, data, entry.bytes);
        } else {
            slot.place = store(me, entry, slot, data, waiter);
        }
        slot.store(entry.word());
        ++end.tail;
        --end.free_ahead;
        memory_.bells().ring(to);
        give_back_last(me);
        if (end.free_ahead == 0) look_ahead(me, to);
        if (entry.place == Place::sender) {
            wait_until(me, waiter, [&slot] { return !EntryWord::of(slot.load()).valid; });
        }
    }

    static Place place_of(std::size_t bytes) {
        if (bytes <= QueueSlot::beside_bytes) return Place::beside;
        return bytes <= most_buffered_bytes ? Place::block : Place::sender;
    }

    // Where the receiver will find a message that is not beside its entry.
    template <class Waiter>
    std::byte* store(int me, const EntryWord& entry, QueueSlot& slot, const void* data, Waiter& waiter) {
        // The receiver only reads there.
        if (entry.place == Place::sender) return static_cast<std::byte*>(const_cast<void*>(data));
        BlockArea& area = memory_.area(me);
        std::byte* to = area.take(slot);
        if (to == nullptr) {
            wait_until(me, waiter, [&] {
                to = area.take(slot);
                return to != nullptr;
            });
        }
        copy_by_lines(to, data, entry.bytes);
        return to;
    }

    // Whether the queue's next slot is free. Asks for lines to write, as they will be written.
    bool look_ahead(int me, int to) {
        SendingEnd& end = memory_.sending_end(me, to);
        QueueSlot* queue = memory_.queue(to, me);
        const std::uint32_t mask = memory_.entries() - 1;
        const std::uint32_t most = std::max(memory_.entries() / 4, 1U);
        for (std::uint32_t i = 0; i < most; ++i) __builtin_prefetch(&queue[(end.tail + i) & mask], 1);
        while (end.free_ahead < most) {
            QueueSlot& slot = queue[(end.tail + end.free_ahead) & mask];
            if (EntryWord::of(slot.load()).valid) break;
            if (EntryWord::of(slot.entry).place == Place::block) memory_.area(me).reclaim(slot);
            ++end.free_ahead;
        }
        return end.free_ahead != 0;
    }

    // Sending by packets.

    template <class Waiter>
    void send_packet(int me, int to, EntryWord entry, const void* data, Waiter& waiter) {
        SendingEnd& end = memory_.sending_end(me, to);
        const std::uint64_t bit = std::uint64_t{1} << (end.tail & (memory_.entries() - 1));
        if ((end.busy & bit) != 0) wait_until(me, waiter, [&] { return (end.busy & bit) == 0; });
        end.busy |= bit;
        ++end.tail;
        entry.place = place_of(entry.bytes);
        PacketHead head{std::exchange(memory_.receiving_end(me, to).owed, 0), entry.word()};
        const auto bytes = static_cast<std::uint32_t>(entry.bytes);
        if (entry.place == Place::sender) {
            const Announcement packet{head, this->expose(me, data, entry.bytes)};
            Layer::send({message_kind, me, to, sizeof packet}, {&packet, sizeof packet}, waiter);
            wait_until(me, waiter, [&] { return (end.busy & bit) == 0; });
            this->withdraw(packet.memory);
        } else {
            Layer::send({message_kind, me, to, static_cast<std::uint32_t>(sizeof head) + bytes},
                        {&head, sizeof head, data, bytes}, waiter);
        }
    }

    void on_packet(PacketHeader header, const std::byte* payload) {
        if (header.to >= this->ranks() || header.from >= this->ranks() || !memory_.has(header.to)) {
            throw MessagingError::malformed(header.from, header.to);
        }
        if (header.kind == slots_kind && header.bytes == sizeof(std::uint64_t)) {
            std::uint64_t freed = 0;
            std::memcpy(&freed, payload, sizeof freed);
            memory_.sending_end(header.to, header.from).busy &= ~freed;
        } else if (header.kind == message_kind && header.bytes >= sizeof(PacketHead)) {
            PacketHead head;
            std::memcpy(&head, payload, sizeof head);
            memory_.sending_end(header.to, header.from).busy &= ~head.freed;
            const std::size_t bytes = header.bytes - sizeof head;
            const EntryWord entry = EntryWord::of(head.entry);
            const bool announced = entry.bytes > most_buffered_bytes;
            if (!entry.valid || header.from == header.to || entry.place != place_of(entry.bytes) ||
                bytes != (announced ? sizeof(RemoteMemory) : entry.bytes)) {
                throw MessagingError::malformed(header.from, header.to);
            }
            file(header.from, header.to, head.entry, payload + sizeof head, bytes);
        } else {
            throw MessagingError::malformed(header.from, header.to);
        }
        this->raise(header.to);
    }

    // Puts a message that has come into its queue, as its sender would have; of a long one, where it is.
    void file(int from, int to, std::uint64_t word, const std::byte* data, std::size_t bytes) {
        ReceivingEnd& end = memory_.receiving_end(to, from);
        QueueSlot& slot = memory_.queue(to, from)[end.filed & (memory_.entries() - 1)];
        if (EntryWord::of(slot.load()).valid) throw MessagingError::malformed(from, to);
        ++end.filed;
        if (EntryWord::of(word).place == Place::block) {
            slot.place = take_block();
            std::memcpy(slot.place, data, bytes);
        } else {
            std::memcpy(slot.beside, data, bytes);
        }
        slot.store(word);
    }

    // Receiving.

    QueueSlot* find(int me, int from, int tag) {
        return find_entry(memory_.queue(me, from), memory_.entries(), memory_.receiving_end(me, from), tag);
    }

    template <class Waiter>
    std::size_t take(int me, Found found, std::byte* buffer, std::size_t capacity, Waiter& waiter) {
        QueueSlot& slot = *found.slot;
        const EntryWord entry = EntryWord::of(slot.load());
        if (entry.bytes > capacity) throw MessagingError::too_long(found.source, me, entry.bytes, capacity);
        take_entry(memory_.queue(me, found.source), memory_.entries(), memory_.receiving_end(me, found.source), &slot);
        if (entry.place == Place::beside) {
            copy_bytes(buffer, slot.beside, entry.bytes);
        } else if (entry.place == Place::sender && !Endpoint::shares_memory) {
            bool done = false;
            RemoteMemory memory;
            std::memcpy(&memory, slot.beside, sizeof memory);
            if (memory.bytes != entry.bytes) throw MessagingError::malformed(found.source, me);
            this->get(me, found.source, memory, buffer, done);
            wait_until(me, waiter, [&done] { return done; });
        } else if (entry.place == Place::block) {
            copy_by_lines(buffer, slot.place, entry.bytes);
            if (!Endpoint::shares_memory) blocks_.push_back(slot.place);
        } else {
            copy_in_pieces(buffer, slot.place, entry.bytes);
        }
        give_back(me, found, entry);
        return entry.bytes;
    }

    // Gives a slot back to its sender, at once or when it costs least.
    void give_back(int me, const Found& found, const EntryWord& entry) {
        if constexpr (Endpoint::shares_memory) {
            last_[static_cast<std::size_t>(me)] = found;
            if (entry.place == Place::sender || !gives_back_later_) give_back_last(me);
        } else {
            ReceivingEnd& end = memory_.receiving_end(me, found.source);
            found.slot->mark_invalid();
            end.owed |= std::uint64_t{1} << (found.slot - memory_.queue(me, found.source));
            const bool many = 4 * static_cast<std::uint32_t>(std::popcount(end.owed)) >= memory_.entries();
            if (entry.place == Place::sender || many) give_back_all(me, found.source);
        }
    }
    void give_back_last(int me) {
        if constexpr (Endpoint::shares_memory) {
            Found& last = last_[static_cast<std::size_t>(me)];
            if (last.slot == nullptr) return;
            last.slot->mark_invalid();
            memory_.bells().ring(last.source);
            last.slot = nullptr;
        }
    }
    // Tells a sender which slots are free.
    void give_back_all(int me, int source) {
        const std::uint64_t freed = std::exchange(memory_.receiving_end(me, source).owed, 0);
        if (freed != 0) this->reply({slots_kind, me, source, sizeof freed}, {&freed, sizeof freed});
    }

    // Memory of a message that has come, without shared memory.
    std::byte* take_block() {
        if (blocks_.empty()) {
            kept_.push_back(std::make_unique<std::byte[]>(most_buffered_bytes));
            blocks_.push_back(kept_.back().get());
        }
        std::byte* block = blocks_.back();
        blocks_.pop_back();
        return block;
    }

    BufferedMemory& memory_;
    // Received by each rank, but not yet marked invalid: to mark it takes the line from its sender, which is best done
    // when the answer is on its way.
    std::vector<Found> last_;
    // Where every other rank may keep a block of a sender's and leave it one; a fiber's next call may be far away.
    bool gives_back_later_;
    std::vector<std::unique_ptr<std::byte[]>> kept_;
    std::vector<std::byte*> blocks_;
};

template <>
struct ProtocolOf<Protocol::buffered> {
    static constexpr ProtocolRecord record = {.name = "buffered",
                                              .source = "kumar2007",
                                              .memory = &BufferedMemory::bytes,
                                              .longest_free = most_buffered_bytes};
    using Memory = BufferedMemory;
    using Maker = ProtocolOf;

    template <class Endpoint>
    static auto make(Endpoint& endpoint, const RankLayout& layout, Memory& memory, const ProtocolRecord& /*record*/) {
        return std::make_unique<Buffered<Endpoint>>(endpoint, layout, memory);
    }
};

}  // namespace narrows
