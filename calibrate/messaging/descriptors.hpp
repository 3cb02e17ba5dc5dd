#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "calibrate/messaging/bells.hpp"
#include "calibrate/messaging/messages.hpp"
#include "calibrate/messaging/messaging_error.hpp"
#include "calibrate/messaging/virtual_costs.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/transport/packet.hpp"

namespace narrows {

/// What a receiver puts into its sender's memory (pakin2009, technical description): where the message is to go. Its
/// number is written last.
struct alignas(64) Descriptor {
    std::byte* target;
    /// In place of the address where memory is not shared: what the receiver knows it by.
    std::uint64_t token;
    std::uint64_t capacity;
    std::int32_t tag;
    std::uint32_t number;

    std::uint32_t posted() { return std::atomic_ref(number).load(std::memory_order_acquire); }
    void post(std::uint32_t as) { std::atomic_ref(number).store(as, std::memory_order_release); }
};

/// What the sender puts into its receiver's memory when the data are there: the completion flag, which is the number of
/// messages completed, after what it says. A short message is on the flag's own line, so that both move together.
struct alignas(64) Completion {
    static constexpr std::size_t beside_bytes = 40;

    std::uint64_t bytes;
    std::uint32_t number;
    std::uint32_t is_beside;
    std::byte beside[beside_bytes];

    std::uint32_t completed() { return std::atomic_ref(number).load(std::memory_order_acquire); }
    void complete(std::uint32_t as) { std::atomic_ref(number).store(as, std::memory_order_release); }
};

/// The descriptors and completion flags of ranks in domains: a rank has one of each for every rank of its domain.
class DescriptorMemory {
  public:
    /// Of the ranks [first, last). Domains are blocks of `domain` ranks.
    DescriptorMemory(int domain, int first, int last);

    static std::size_t bytes_per_rank(int domain) {
        return static_cast<std::size_t>(domain) * (sizeof(Descriptor) + sizeof(Completion) + sizeof(std::uint32_t));
    }

    bool has(int rank) const { return rank >= first_ && rank < last_; }
    /// In the memory of `sender`.
    Descriptor& descriptor(int sender, int receiver) const {
        return reinterpret_cast<Descriptor*>(descriptors_.data())[at(sender, receiver)];
    }
    /// In the memory of `receiver`.
    Completion& completion(int receiver, int sender) const {
        return reinterpret_cast<Completion*>(completions_.data())[at(receiver, sender)];
    }
    /// Messages that `sender` has sent to `receiver`.
    std::uint32_t& sent(int sender, int receiver) const {
        return *reinterpret_cast<std::uint32_t*>(sent_.data() + static_cast<std::size_t>(sender - first_) * sent_row_ +
                                                 static_cast<std::size_t>(receiver % domain_) * sizeof(std::uint32_t));
    }

    /// In virtual time messages cost this much. `costs` must outlive this.
    void use(const VirtualCosts& costs);
    const VirtualCosts& costs() const { return *costs_; }
    /// When the descriptor, or the completion flag, in the memory of `rank` for `peer` is there, in virtual seconds.
    double& descriptor_time(int rank, int peer) const { return times_[2 * at(rank, peer)]; }
    double& completion_time(int rank, int peer) const { return times_[2 * at(rank, peer) + 1]; }

  private:
    std::size_t at(int rank, int peer) const {
        return static_cast<std::size_t>(rank - first_) * static_cast<std::size_t>(domain_) +
               static_cast<std::size_t>(peer % domain_);
    }

    const VirtualCosts* costs_ = nullptr;
    mutable std::vector<double> times_;
    int domain_;
    int first_;
    int last_;
    std::size_t sent_row_;
    Mapping descriptors_;
    Mapping completions_;
    Mapping sent_;
};

/// Throws MessagingError unless the message that `from` sends to `to` is what `to` waits for and has room for.
void check_descriptor(const Descriptor& descriptor, int from, int to, int tag, std::size_t bytes);

/// Receiver-initiated messages between ranks that share memory.
class DirectMessages {
  public:
    DirectMessages(const DescriptorMemory& memory, Bells& bells) : memory_(memory), bells_(bells) {}

    template <class Waiter>
    void send(int me, int to, int tag, const void* data, std::size_t bytes, Waiter& waiter) {
        Descriptor& descriptor = memory_.descriptor(me, to);
        std::uint32_t& sent = memory_.sent(me, to);
        if (descriptor.posted() == sent) {
            bells_.wait_until(me, waiter, [&] { return descriptor.posted() != sent; });
        }
        check_descriptor(descriptor, me, to, tag, bytes);
        if constexpr (VirtualTime<Waiter>) {
            const DirectCost cost = memory_.costs().direct(me, to, bytes);
            waiter.advance_to(memory_.descriptor_time(me, to));
            waiter.spend(cost.send);
            memory_.completion_time(to, me) = waiter.now() + cost.transit;
        }
        Completion& completion = memory_.completion(to, me);
        completion.is_beside = bytes <= Completion::beside_bytes ? 1 : 0;
        copy_bytes(completion.is_beside != 0 ? completion.beside : descriptor.target, data, bytes);
        completion.bytes = bytes;
        completion.complete(++sent);
        bells_.ring(to);
    }

    template <class Waiter>
    std::size_t receive(int me, int from, int tag, void* buffer, std::size_t capacity, Waiter& waiter) {
        Completion& completion = memory_.completion(me, from);
        Descriptor& descriptor = memory_.descriptor(from, me);
        const std::uint32_t before = completion.number;
        descriptor.target = static_cast<std::byte*>(buffer);
        descriptor.capacity = capacity;
        descriptor.tag = tag;
        if constexpr (VirtualTime<Waiter>) {
            memory_.descriptor_time(from, me) = waiter.now() + memory_.costs().direct(me, from, 0).request;
        }
        descriptor.post(before + 1);
        bells_.ring(from);
        bells_.wait_until(me, waiter, [&] { return completion.completed() != before; });
        if constexpr (VirtualTime<Waiter>) {
            waiter.advance_to(memory_.completion_time(me, from));
            waiter.spend(memory_.costs().direct(from, me, completion.bytes).receive);
        }
        if (completion.is_beside != 0) copy_bytes(static_cast<std::byte*>(buffer), completion.beside, completion.bytes);
        return completion.bytes;
    }

  private:
    const DescriptorMemory& memory_;
    Bells& bells_;
};

}  // namespace narrows
