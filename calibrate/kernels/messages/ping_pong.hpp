#pragma once

#include <atomic>

#include "calibrate/kernels/messages/plan.hpp"

namespace narrows {

inline constexpr int warm_up_trips = 3;

/// Ping-pong between pairs of ranks by send and receive: the seconds of a sample are those of half a round trip.
template <class Messages, class Waiter>
void ping_pong(Messages& messages, int me, const SamplePlan& plan, RankRecord& record, Waiter& waiter) {
    const int other = pair_partner(me, messages.ranks());
    if (other == me) return;
    const bool first = begins(me, messages.ranks());
    record.prepare(plan);
    for (std::size_t number = 0; number < plan.samples.size(); ++number) {
        const auto [bytes, trips] = plan.samples[number];
        if (first) fill_pattern(record.out.data(), bytes, number);
        double start = 0;
        for (int trip = -warm_up_trips; trip < trips; ++trip) {
            if (trip == 0) start = wall_seconds();
            if (first) messages.send(me, other, 0, record.out.data(), bytes, waiter);
            messages.receive(me, other, 0, record.in.data(), bytes, waiter);
            if (!first) messages.send(me, other, 0, record.in.data(), bytes, waiter);
        }
        record.add_sample((wall_seconds() - start) / (2.0 * trips));
        record.check(has_pattern(record.in.data(), bytes, number));
    }
}

/// The same by puts into the peer's memory, which it watches: the last word of a message counts the turns, and is put
/// after the rest. A message has at least a word and is whole words.
template <class Puts, class Waiter>
void put_ping_pong(Puts& puts, int me, const SamplePlan& plan, RankRecord& record, Waiter& waiter) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    const int other = pair_partner(me, puts.ranks());
    if (other == me) return;
    const bool first = begins(me, puts.ranks());
    record.prepare(plan);
    puts.open(me, other, plan.most_bytes(), waiter);
    std::byte* memory = puts.memory(me);
    std::uint64_t turn = 0;
    const auto put = [&](const std::byte* data, std::size_t bytes) {
        if (bytes > word) puts.put(me, other, 0, data, bytes - word, waiter);
        puts.put(me, other, bytes - word, &turn, word, waiter);
    };
    for (std::size_t number = 0; number < plan.samples.size(); ++number) {
        const auto [bytes, trips] = plan.samples[number];
        const std::atomic_ref<std::uint64_t> arrived(*reinterpret_cast<std::uint64_t*>(memory + bytes - word));
        if (first) fill_pattern(record.out.data(), bytes - word, number);
        double start = 0;
        for (int trip = -warm_up_trips; trip < trips; ++trip) {
            if (trip == 0) start = wall_seconds();
            ++turn;
            if (first) put(record.out.data(), bytes);
            puts.wait_for(me, waiter, [&] { return arrived.load(std::memory_order_acquire) == turn; });
            if (!first) put(memory, bytes);
        }
        record.add_sample((wall_seconds() - start) / (2.0 * trips));
        // The other's memory is already written to again.
        if (first) record.check(has_pattern(memory, bytes - word, number));
    }
}

}  // namespace narrows
