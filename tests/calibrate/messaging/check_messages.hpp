#pragma once

#include <algorithm>
#include <catch2/catch.hpp>

#include "calibrate/messaging/buffered_memory.hpp"
#include "random_messages.hpp"

namespace narrows {

/// Stacks on which an exception with its text finds room.
inline RankOptions options_for(const RankLayout& layout) {
    RankOptions options;
    options.layout = layout;
    options.stack_bytes = std::max<std::size_t>(default_stack_bytes, std::size_t{32} << 10);
    return options;
}

/// `step(protocol, rank, waiter)` on each rank, as a rank program.
template <class World, class Step>
struct EachRank {
    void set_up(int worker) { world.set_up(worker); }
    bool poll(int worker) { return world.protocol_of_worker(worker).poll(); }
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        step(world.protocol(rank), rank, waiter);
    }
    World& world;
    Step step;
};

template <class World, class Step>
RankTimes run_each(World& world, Step step, std::size_t stack_bytes = 0) {
    EachRank<World, Step> program{world, step};
    RankOptions options = options_for(world.layout());
    if (stack_bytes != 0) options.stack_bytes = stack_bytes;
    return run_ranks(options, program);
}

/// `first` on the one and `second` on the other of two ranks.
template <class World, class First, class Second>
RankTimes run_two(int workers, First first, Second second) {
    World world(RankLayout{2, workers});
    return run_each(world, [&](auto& protocol, int rank, auto& waiter) {
        if (rank == 0) {
            first(protocol, waiter);
        } else {
            second(protocol, waiter);
        }
    });
}

/// Runs a random exchange on this many workers; instrumented, a part of it. How many messages were received.
template <class World, template <class> class Program = RandomMessages>
std::uint32_t check_random_messages(MessageMix mix, int workers) {
    World world(RankLayout{mix.ranks, workers});
    if (sanitized) mix.messages /= 8;
    Program<World> program(world, mix);
    const RankTimes times = run_each(world, [&](auto&, int rank, auto& waiter) { program.run(rank, waiter); });
    CHECK_FALSE(times.deadlocked);
    CHECK(program.wrong == 0);
    CHECK(program.received_messages >= mix.messages);
    return program.received_messages;
}

/// What random messages are to be like between `ranks` ranks; a protocol changes what it must.
inline MessageMix mix_of(int ranks, std::uint32_t messages, std::uint64_t seed) {
    return {.ranks = ranks, .messages = messages, .seed = seed};
}

/// The same by a protocol that buffers short messages: only such ones in bursts.
inline MessageMix buffered_mix(int ranks, std::uint32_t messages, std::uint64_t seed) {
    return {.ranks = ranks, .messages = messages, .seed = seed, .longest_in_bursts = most_buffered_bytes};
}

/// The same by a protocol whose sends wait for their receives.
inline MessageMix synchronous_mix(int ranks, std::uint32_t messages, std::uint64_t seed) {
    return {.ranks = ranks, .messages = messages, .seed = seed, .synchronous = true};
}

inline const auto nothing = [](auto&, auto&) {};

}  // namespace narrows
