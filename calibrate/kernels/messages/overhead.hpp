#pragma once

#include <algorithm>
#include <atomic>

#include "calibrate/kernels/messages/ping_pong.hpp"

namespace narrows {

/// Which call of a pair of ranks is timed.
enum class TimedCall { send, receive };

/// How long the timed rank leaves the other alone before its call: longer than a message takes, so that the other waits
/// in its receive already, or the message that is to be received is there; but shorter than the idle threshold.
inline constexpr double settling_seconds = 8e-6;

template <class Waiter>
void settle(Waiter& waiter) {
    for (const double start = wall_seconds(); wall_seconds() - start < settling_seconds;) waiter.yield(true);
}

/// Seconds that reading the clock adds to what is timed.
inline double clock_seconds() {
    constexpr int readings = 1000;
    const double start = wall_seconds();
    double now = start;
    for (int i = 0; i < readings; ++i) now = wall_seconds();
    return (now - start) / readings;
}

/// The mean of single calls, each timed on its own.
class CallTimer {
  public:
    template <class Call>
    void time(bool counts, const Call& call) {
        const double start = wall_seconds();
        call();
        if (counts) seconds_ += wall_seconds() - start;
    }
    double mean(int calls) const { return std::max(0.0, seconds_ / calls - clock_); }

  private:
    double clock_ = clock_seconds();
    double seconds_ = 0;
};

/// How long one call of a message keeps the rank that makes it.
///
/// Statement: o_s is the mean time of a send whose receiver waits for it and to whom nothing else is under way; o_r
///            that of a receive that is called when the message has come as far as it does by itself.
/// Symbols:   seconds of a call, without those of reading the clock.
/// Source:    o of LogGP (Alexandrov et al. 1995), apart for both ends as garg2006 Section 4.3.1 has t_s and t_r.
/// Range:     a message without a receive: where the call itself fetches the message (rendezvous, receiver-initiated)
///            or waits for an answer, the way of the message is in it, and no latency is left beside it.
/// Test:      tests/calibrate/messaging/test_message_kernels.cpp
template <class Messages, class Waiter>
void overhead(Messages& messages, int me, TimedCall timed, const SamplePlan& plan, RankRecord& record, Waiter& waiter) {
    const int other = pair_partner(me, messages.ranks());
    if (other == me) return;
    const bool timing = begins(me, messages.ranks());
    const bool sends = timing == (timed == TimedCall::send);
    record.prepare(plan);
    for (std::size_t number = 0; number < plan.samples.size(); ++number) {
        const std::size_t bytes = plan.samples[number].bytes;
        const int calls = plan.samples[number].messages;
        const auto call = [&] {
            if (sends) messages.send(me, other, 0, record.out.data(), bytes, waiter);
            if (!sends) messages.receive(me, other, 0, record.in.data(), bytes, waiter);
        };
        if (sends) fill_pattern(record.out.data(), bytes, number);
        CallTimer timer;
        for (int i = -warm_up_trips; i < calls; ++i) {
            // A turn begins when the receiver says so.
            if (sends) messages.receive(me, other, 1, record.in.data(), 0, waiter);
            if (!sends) messages.send(me, other, 1, record.out.data(), 0, waiter);
            if (timing) settle(waiter);
            timer.time(i >= 0, call);
        }
        record.add_sample(timer.mean(calls));
        if (!sends) record.check(has_pattern(record.in.data(), bytes, number));
    }
}

/// The same by puts: o_s is a put, o_r finding that one has come. The last word of a message counts the turns.
template <class Puts, class Waiter>
void put_overhead(Puts& puts, int me, TimedCall timed, const SamplePlan& plan, RankRecord& record, Waiter& waiter) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    const int other = pair_partner(me, puts.ranks());
    if (other == me) return;
    const bool timing = begins(me, puts.ranks());
    const bool sends = timing == (timed == TimedCall::send);
    record.prepare(plan);
    const std::size_t turn_at = plan.most_bytes();
    puts.open(me, other, turn_at + word, waiter);
    std::byte* memory = puts.memory(me);
    std::uint64_t turn = 0;
    const auto await_turn = [&](std::size_t at) {
        const std::atomic_ref<std::uint64_t> count(*reinterpret_cast<std::uint64_t*>(memory + at));
        puts.wait_for(me, waiter, [&] { return count.load(std::memory_order_acquire) == turn; });
    };
    for (std::size_t number = 0; number < plan.samples.size(); ++number) {
        const std::size_t last_word = plan.samples[number].bytes - word;
        const int calls = plan.samples[number].messages;
        const auto call = [&] {
            if (!sends) return await_turn(last_word);
            if (last_word != 0) puts.put(me, other, 0, record.out.data(), last_word, waiter);
            puts.put(me, other, last_word, &turn, word, waiter);
        };
        if (sends) fill_pattern(record.out.data(), last_word, number);
        CallTimer timer;
        for (int i = -warm_up_trips; i < calls; ++i) {
            ++turn;
            if (sends) await_turn(turn_at);
            if (!sends) puts.put(me, other, turn_at, &turn, word, waiter);
            if (timing) settle(waiter);
            timer.time(i >= 0, call);
        }
        record.add_sample(timer.mean(calls));
        if (!sends) record.check(has_pattern(memory, last_word, number));
    }
}

}  // namespace narrows
