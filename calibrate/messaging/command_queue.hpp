#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "calibrate/messaging/command_ring.hpp"
#include "calibrate/messaging/message_layer.hpp"

namespace narrows {

/// SHMEM puts through a command queue (underwood2008, Section 3): a rank writes a command and its data to a ring; an
/// agent, in place of the network interface, takes commands, delivers them to the memory of their target, and
/// acknowledges. Every rank has symmetric memory of the same size; what a put writes is seen in the order of the puts.
template <class Endpoint>
class CommandQueue : public MessageLayer<Endpoint, CommandQueue<Endpoint>> {
    using Layer = MessageLayer<Endpoint, CommandQueue<Endpoint>>;

  public:
    /// `memory_bytes`: symmetric memory of each rank for the program's use.
    CommandQueue(Endpoint& endpoint, const RankLayout& layout, std::size_t memory_bytes)
        : Layer(endpoint, layout),
          bytes_((memory_bytes + 7) / 8 * 8),
          ranks_(static_cast<std::size_t>(layout.ranks)),
          unacknowledged_(static_cast<std::size_t>(layout.ranks)) {
        for (int rank = 0; rank < layout.ranks; ++rank) {
            if (endpoint.process_of(rank) != endpoint.process()) continue;
            if (first_own_ < 0) first_own_ = rank;
            at(rank) = std::make_unique<Rank>();
            at(rank)->memory = std::make_unique<std::uint64_t[]>(bytes_ / 8 + barrier_words);
        }
    }

    using Layer::poll;
    using Layer::ranks;

    /// The symmetric memory of a rank of this process.
    std::byte* memory(int rank) { return reinterpret_cast<std::byte*>(at(rank)->memory.get()); }

    /// Symmetric memory is there from the beginning: nothing to be done before puts.
    template <class Waiter>
    void open(int /*me*/, int /*other*/, std::size_t /*bytes*/, Waiter& /*waiter*/) {}

    /// Writes `data` at `offset` of the symmetric memory of `to`. Returns when `data` may be changed.
    template <class Waiter>
    void put(int me, int to, std::size_t offset, const void* data, std::size_t bytes, Waiter& waiter) {
        if (to < 0 || to >= ranks()) throw MessagingError::unknown_rank(to, ranks());
        if (offset > bytes_ || bytes > bytes_ - offset) throw MessagingError::outside(to, offset, bytes, bytes_);
        write(me, to, offset, data, bytes, waiter);
    }

    /// Waits until everything that `me` has put is in its target's memory.
    template <class Waiter>
    void quiet(int me, Waiter& waiter) {
        Rank& own = *at(me);
        Layer::wait_until(me, waiter, [&own] { return own.acknowledged == own.issued; });
    }

    /// Waits until every rank has come here and all puts are done.
    template <class Waiter>
    void barrier(int me, Waiter& waiter) {
        any_at_barrier(me, false, waiter);
    }

    /// The same; returns, to all ranks alike, whether any of them has said so.
    template <class Waiter>
    bool any_at_barrier(int me, bool said, Waiter& waiter) {
        quiet(me, waiter);
        Rank& own = *at(me);
        const std::uint64_t turn = ++own.barriers;
        // A rank may be at the next barrier while another has not looked at its words of this one, but not further.
        const std::size_t first = bytes_ / 8 + turn % 2 * barrier_rounds;
        for (int round = 0, distance = 1; distance < ranks(); ++round, distance *= 2) {
            const std::size_t word = first + static_cast<std::size_t>(round);
            const std::uint64_t token = 2 * turn + (said ? 1 : 0);
            write(me, (me + distance) % ranks(), word * 8, &token, sizeof token, waiter);
            Layer::wait_until(me, waiter, [&own, word, turn] { return own.memory[word] >= 2 * turn; });
            said = said || own.memory[word] % 2 != 0;
        }
        return said;
    }

    /// Waits until `done()`, which changes as others put to the memory of `me`.
    template <class Waiter, class Done>
    void wait_for(int me, Waiter& waiter, const Done& done) {
        Layer::wait_until(me, waiter, done);
    }

    // The agent: takes commands of this process's ranks, and acknowledges what it has delivered to them.
    bool advance() {
        bool any = false;
        while (!busy_.empty() && take_commands(busy_.back(), any)) busy_.pop_back();
        for (const int source : sources_) {
            std::uint32_t& count = unacknowledged_[static_cast<std::size_t>(source)];
            Layer::tell({acknowledgement_kind, first_own_, source, sizeof count}, {&count, sizeof count});
            count = 0;
            any = true;
        }
        sources_.clear();
        return any;
    }

    void on_packet(PacketHeader header, const std::byte* payload) {
        if (header.kind == put_kind && header.bytes >= sizeof(std::uint64_t)) {
            deliver(header, payload);
        } else if (header.kind == acknowledgement_kind && header.bytes == sizeof(std::uint32_t)) {
            std::uint32_t count = 0;
            std::memcpy(&count, payload, sizeof count);
            at(header.to)->acknowledged += count;
            Layer::raise(header.to);
        } else {
            throw MessagingError::malformed(header.from, header.to);
        }
    }

  private:
    static constexpr PacketKind put_kind = 1;
    static constexpr PacketKind acknowledgement_kind = 2;
    static constexpr std::size_t barrier_rounds = 24;
    /// One for each round of a barrier, and as many for the next barrier.
    static constexpr std::size_t barrier_words = 2 * barrier_rounds;

    struct Rank {
        CommandRing commands;
        std::unique_ptr<std::uint64_t[]> memory;
        std::uint64_t issued = 0;
        std::uint64_t acknowledged = 0;
        std::uint64_t barriers = 0;
    };

    std::unique_ptr<Rank>& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

    template <class Waiter>
    void write(int me, int to, std::size_t offset, const void* data, std::size_t bytes, Waiter& waiter) {
        Rank& own = *at(me);
        const auto* from = static_cast<const std::byte*>(data);
        for (std::size_t done = 0; done < bytes || (done == 0 && bytes == 0);) {
            const std::size_t part = CommandRing::part_of(bytes - done);
            Layer::wait_until(
                me, waiter, [&] { return own.commands.has_room(part); }, true);
            if (own.commands.empty()) busy_.push_back(me);
            own.commands.write({static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(part), offset + done},
                               from + done);
            ++own.issued;
            done += part;
            if (bytes == 0) break;
        }
        advance();
    }

    // True when the rank's ring is empty; `any` becomes true when a command has gone.
    bool take_commands(int rank, bool& any) {
        CommandRing& commands = at(rank)->commands;
        while (!commands.empty()) {
            const PutCommand command = commands.front();
            const Payload payload = commands.payload_of(command);
            if (!Layer::try_send({put_kind, rank, static_cast<int>(command.to), payload.bytes()}, payload)) {
                return false;
            }
            commands.pop(command);
            any = true;
        }
        return true;
    }

    void deliver(PacketHeader header, const std::byte* payload) {
        std::uint64_t offset = 0;
        std::memcpy(&offset, payload, sizeof offset);
        const std::size_t bytes = header.bytes - sizeof offset;
        const std::size_t all = bytes_ + barrier_words * 8;
        if (offset > all || bytes > all - offset) throw MessagingError::outside(header.to, offset, bytes, bytes_);
        copy_bytes(memory(header.to) + offset, payload + sizeof offset, bytes);
        if (unacknowledged_[static_cast<std::size_t>(header.from)]++ == 0) sources_.push_back(header.from);
        Layer::raise(header.to);
    }

    std::size_t bytes_;
    int first_own_ = -1;
    std::vector<std::unique_ptr<Rank>> ranks_;
    std::vector<int> busy_;
    std::vector<int> sources_;
    std::vector<std::uint32_t> unacknowledged_;
};

}  // namespace narrows
