#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "calibrate/messaging/member.hpp"

namespace narrows {

/// Gives the bytes of the first member to all: a binomial tree, ⌈log₂ P⌉ steps.
inline void broadcast(Member& member, void* data, std::size_t bytes) {
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
template <class T, class Operation>
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
template <class T, class Operation>
void allreduce_tree(Member& member, T* data, T* scratch, std::size_t count, const Operation& operation) {
    reduce(member, data, scratch, count, operation);
    broadcast(member, data, count * sizeof(T));
}

/// Allreduce by recursive doubling: log₂ P steps, in each of which pairs exchange all they have. What exceeds a power
/// of two first joins a neighbour and in the end hears from it.
template <class T, class Operation>
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
template <class T, class Operation>
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
template <class T, class Operation>
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
template <class T, class Operation>
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
inline bool barrier(Member& member, std::uint64_t number = 0) {
    bool same = true;
    for (int distance = 1; distance < member.size(); distance *= 2) {
        std::uint64_t theirs = 0;
        member.shift(&number, sizeof number, &theirs, sizeof theirs, distance);
        same = same && theirs == number;
    }
    return same;
}

/// `data` holds a block of `bytes` for each member, of which this one has its own; afterwards all have all. A ring.
inline void allgather(Member& member, std::byte* data, std::size_t bytes) {
    const int size = member.size();
    const auto block = [&](int steps) {
        return data + static_cast<std::size_t>(((member.me() - steps) % size + size) % size) * bytes;
    };
    for (int step = 0; step + 1 < size; ++step) member.shift(block(step), bytes, block(step + 1), bytes);
}

}  // namespace narrows
