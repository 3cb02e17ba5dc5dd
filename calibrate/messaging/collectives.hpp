#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "calibrate/messaging/messages.hpp"
#include "calibrate/ranks/run_ended.hpp"
#include "calibrate/ranks/waiter.hpp"

namespace narrows {

/// The tag of messages within collectives.
inline constexpr int collective_tag = most_tag;

/// One rank's part in collectives of all ranks over any protocol with send and receive. The order of sends and receives
/// is such that synchronous sends do not deadlock.
/// Whether the member `me` sends before it receives where all of a ring of `size` give to the one that is `distance`
/// on: sends may be synchronous, so that those who give to each other alternate. Who closes a ring need not alternate
/// with its neighbours, but one of each two others does.
inline bool sends_first(int me, int distance, int size) {
    return me / std::min(distance, size - distance) % 2 == 0;
}

template <class Protocol, class Waiter>
class Member {
  public:
    Member(Protocol& protocol, int rank, Waiter& waiter)
        : protocol_(protocol), size_(protocol.ranks()), me_(rank), waiter_(waiter) {}

    int me() const { return me_; }
    int size() const { return size_; }
    Waiter& waiter() const { return waiter_; }
    /// The same member, which waits by another waiter.
    template <class Other>
    Member<Protocol, Other> waiting_by(Other& waiter) const {
        return {protocol_, me_, waiter};
    }

    void send(int to, const void* data, std::size_t bytes) {
        protocol_.send(me_, to, collective_tag, data, bytes, waiter_);
    }
    void receive(int from, void* data, std::size_t bytes) {
        protocol_.receive(me_, from, collective_tag, data, bytes, waiter_);
    }
    /// Both members of a pair give each other something.
    void exchange(int peer, const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes) {
        if (me_ < peer) send(peer, out, out_bytes);
        receive(peer, in, in_bytes);
        if (me_ > peer) send(peer, out, out_bytes);
    }
    /// The same of as many bytes both ways.
    void exchange(int peer, const void* out, void* in, std::size_t bytes) { exchange(peer, out, bytes, in, bytes); }
    /// All members give to the one that is `distance` on and take from the one as far back, on a ring of more members
    /// than that.
    void shift(const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes, int distance = 1) {
        const int next = me_ + distance < size_ ? me_ + distance : me_ + distance - size_;
        const int before = me_ < distance ? me_ - distance + size_ : me_ - distance;
        const bool early = sends_first(me_, distance, size_);
        if (early) send(next, out, out_bytes);
        receive(before, in, in_bytes);
        if (!early) send(next, out, out_bytes);
    }
    /// Returns when `done()`, which others bring about in memory that they share with this member.
    template <class Done>
    void wait_until(const Done& done) {
        if (done()) return;
        waiter_.progressed();  // by what the member did before it came here
        for (int looks = 1; !done(); ++looks) {
            const bool any = protocol_.poll();
            if (!any && !Waiter::shares_worker && looks % looks_before_yield<Waiter>() != 0) continue;
            if (!waiter_.yield(any)) throw RunEnded();
        }
        waiter_.progressed();
    }

  private:
    Protocol& protocol_;
    int size_;
    int me_;
    Waiter& waiter_;
};

/// Gives the bytes of the first member to all: a binomial tree, ⌈log₂ P⌉ steps.
template <class Member>
void broadcast(Member& member, void* data, std::size_t bytes) {
    const int me = member.me();
    int step = 1;
    for (; step < member.size() && (me & step) == 0; step *= 2) {
    }
    if (me != 0) member.receive(me - step, data, bytes);
    for (step /= 2; step > 0; step /= 2) {
        if (me + step < member.size()) member.send(me + step, data, bytes);
    }
}

/// Combines `into` with `with`, element by element.
template <class T, class Operation>
void combine(T* into, const T* with, std::size_t count, const Operation& operation) {
    for (std::size_t i = 0; i < count; ++i) into[i] = operation(into[i], with[i]);
}

/// Leaves what all have, combined, in `data` of the first member; the others' `data` are used up. `scratch` is as long
/// as `data`. A binomial tree; the operation is commutative.
template <class Member, class T, class Operation>
void reduce(Member& member, T* data, T* scratch, std::size_t count, const Operation& operation) {
    const int me = member.me();
    for (int step = 1; step < member.size(); step *= 2) {
        if ((me & step) != 0) return member.send(me - step, data, count * sizeof(T));
        if (me + step < member.size()) {
            member.receive(me + step, scratch, count * sizeof(T));
            combine(data, scratch, count, operation);
        }
    }
}

/// Allreduce along a tree: to the first member, then from it to all.
template <class Member, class T, class Operation>
void allreduce_tree(Member& member, T* data, T* scratch, std::size_t count, const Operation& operation) {
    reduce(member, data, scratch, count, operation);
    broadcast(member, data, count * sizeof(T));
}

/// Allreduce by recursive doubling: log₂ P steps, in each of which pairs exchange all they have. What exceeds a power
/// of two first joins a neighbour and in the end hears from it.
template <class Member, class T, class Operation>
void allreduce_doubling(Member& member, T* data, T* scratch, std::size_t count, const Operation& operation) {
    const int me = member.me();
    const std::size_t bytes = count * sizeof(T);
    const int most = static_cast<int>(std::bit_floor(static_cast<unsigned>(member.size())));
    const int extra = member.size() - most;
    if (me < 2 * extra && me % 2 == 1) {
        member.send(me - 1, data, bytes);
        member.receive(me - 1, data, bytes);
        return;
    }
    if (me < 2 * extra) {
        member.receive(me + 1, scratch, bytes);
        combine(data, scratch, count, operation);
    }
    const auto member_at = [extra](int place) { return place < extra ? 2 * place : place + extra; };
    const int place = me < 2 * extra ? me / 2 : me - extra;
    for (int step = 1; step < most; step *= 2) {
        member.exchange(member_at(place ^ step), data, scratch, bytes);
        combine(data, scratch, count, operation);
    }
    if (me < 2 * extra) member.send(me + 1, data, bytes);
}

/// Where part `part` of `count` elements begins that `size` members share as evenly as can be.
inline std::size_t begin_of_part(std::size_t count, int part, int size) {
    return count * static_cast<std::size_t>(part) / static_cast<std::size_t>(size);
}

/// Leaves each member its part of what all have, combined, where that part is in `data`, whose other parts are used up.
/// A ring of P − 1 steps, which moves (P − 1)/P of the data out of each member. `scratch` is as long as `data`.
template <class Member, class T, class Operation>
void reduce_scatter_ring(Member& member, T* data, T* scratch, std::size_t count, const Operation& operation) {
    const int size = member.size();
    const auto begin = [&](int part) { return begin_of_part(count, part, size); };
    const auto elements = [&](int part) { return begin(part + 1) - begin(part); };
    const auto part_before = [&](int steps) { return ((member.me() - steps) % size + size) % size; };
    for (int step = 1; step < size; ++step) {
        const int out = part_before(step);
        const int in = part_before(step + 1);
        member.shift(data + begin(out), elements(out) * sizeof(T), scratch + begin(in), elements(in) * sizeof(T));
        combine(data + begin(in), scratch + begin(in), elements(in), operation);
    }
}

/// Allreduce along a ring: P − 1 steps that leave each member its part of the result, and as many that pass the parts
/// on. Moves 2 (P − 1)/P of the data out of each member.
template <class Member, class T, class Operation>
void allreduce_ring(Member& member, T* data, T* scratch, std::size_t count, const Operation& operation) {
    const int size = member.size();
    const auto begin = [&](int part) { return begin_of_part(count, part, size); };
    const auto bytes = [&](int part) { return (begin(part + 1) - begin(part)) * sizeof(T); };
    const auto part_before = [&](int steps) { return ((member.me() - steps) % size + size) % size; };
    reduce_scatter_ring(member, data, scratch, count, operation);
    for (int step = 0; step + 1 < size; ++step) {
        const int out = part_before(step);
        const int in = part_before(step + 1);
        member.shift(data + begin(out), bytes(out), data + begin(in), bytes(in));
    }
}

/// How a collective goes. An allreduce among all alike, or by nodes of several ranks (`node_allreduce.hpp`), also
/// through memory that these share (`node_shared_allreduce.hpp`).
enum class Algorithm {
    recursive_doubling,
    tree,
    ring,
    node_direct,
    node_ring,
    node,
    node_shared,
    pairwise,
    bruck,
    binomial,
    dissemination
};

/// Leaves what all have, combined, in `data` of all. `scratch` is as long as `data`; the operation is commutative.
template <class Member, class T, class Operation>
void allreduce(Member& member, Algorithm how, T* data, T* scratch, std::size_t count, const Operation& operation) {
    switch (how) {
        case Algorithm::tree:
            return allreduce_tree(member, data, scratch, count, operation);
        case Algorithm::recursive_doubling:
            return allreduce_doubling(member, data, scratch, count, operation);
        case Algorithm::ring:
            return allreduce_ring(member, data, scratch, count, operation);
        default:
            throw std::logic_error("allreduce: another algorithm is another function");
    }
}

/// Returns when all have come, by dissemination: ⌈log₂ P⌉ steps, in which each member hears of twice as many. What it
/// hears is the number of their barrier; false when one was in another.
template <class Member>
bool barrier(Member& member, std::uint64_t number = 0) {
    bool same = true;
    for (int distance = 1; distance < member.size(); distance *= 2) {
        std::uint64_t theirs = 0;
        member.shift(&number, sizeof number, &theirs, sizeof theirs, distance);
        same = same && theirs == number;
    }
    return same;
}

/// `data` holds a block of `bytes` for each member, of which this one has its own; afterwards all have all. A ring.
template <class Member>
void allgather(Member& member, std::byte* data, std::size_t bytes) {
    const int size = member.size();
    const auto block = [&](int steps) {
        return data + static_cast<std::size_t>(((member.me() - steps) % size + size) % size) * bytes;
    };
    for (int step = 0; step + 1 < size; ++step) member.shift(block(step), bytes, block(step + 1), bytes);
}

}  // namespace narrows
