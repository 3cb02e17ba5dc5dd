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

/// Runs a random exchange on this many workers; instrumented, a part of it. How many messages were received.
template <class World, template <class> class Program = RandomMessages>
std::uint32_t check_random_messages(MessageMix mix, int workers) {
    const RankLayout layout{mix.ranks, workers};
    World world(layout);
    if (sanitized) mix.messages /= 8;
    Program<World> program(world, mix);
    const RankTimes times = run_ranks(options_for(layout), program);
    CHECK_FALSE(times.deadlocked);
    CHECK(program.wrong == 0);
    CHECK(program.received_messages >= mix.messages);
    return program.received_messages;
}

/// What random messages are to be like between `ranks` ranks; a protocol changes what it must.
inline MessageMix mix_of(int ranks, std::uint32_t messages, std::uint64_t seed) {
    MessageMix mix;
    mix.ranks = ranks;
    mix.messages = messages;
    mix.seed = seed;
    return mix;
}

/// The same by a protocol that buffers short messages: only such ones in bursts.
inline MessageMix buffered_mix(int ranks, std::uint32_t messages, std::uint64_t seed) {
    MessageMix mix = mix_of(ranks, messages, seed);
    mix.longest_in_bursts = most_buffered_bytes;
    return mix;
}

/// The same by a protocol whose sends wait for their receives.
inline MessageMix synchronous_mix(int ranks, std::uint32_t messages, std::uint64_t seed) {
    MessageMix mix = mix_of(ranks, messages, seed);
    mix.synchronous = true;
    return mix;
}

/// A rank program of two steps, one for each of two ranks.
template <class World, class First, class Second>
struct Two {
    void set_up(int worker) { world.set_up(worker); }
    void prefetch(int) {}
    bool poll(int worker) { return world.protocol_of_worker(worker).poll(); }
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        if (rank == 0) {
            first(world.protocol(0), waiter);
        } else {
            second(world.protocol(1), waiter);
        }
    }
    World world;
    First first;
    Second second;
};

template <class World, class First, class Second>
RankTimes run_two(int workers, First first, Second second) {
    const RankLayout layout{2, workers};
    Two<World, First, Second> program{World(layout), first, second};
    return run_ranks(options_for(layout), program);
}

inline const auto nothing = [](auto&, auto&) {};

/// A rank program: `step(protocol, rank, waiter)` on each rank.
template <class World, class Step>
struct EachRank {
    void set_up(int worker) { world.set_up(worker); }
    void prefetch(int) {}
    bool poll(int worker) { return world.protocol_of_worker(worker).poll(); }
    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        step(world.protocol(rank), rank, waiter);
    }
    World& world;
    Step step;
};

template <class World, class Step>
RankTimes run_each(World& world, Step step) {
    EachRank<World, Step> program{world, step};
    return run_ranks(options_for(world.layout()), program);
}

}  // namespace narrows
