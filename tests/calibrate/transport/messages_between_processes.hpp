#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/messaging/process_run.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "tests/calibrate/messaging/random_messages.hpp"
#include "tests/patience.hpp"

namespace narrows {

/// This process's protocol, as RandomMessages wants a world.
template <class Protocol>
struct ProcessWorld {
    Protocol& only;
    Protocol& protocol(int) { return only; }
};

/// Exchanges random messages with the other processes by the protocol that `make(endpoint)` makes. Returns how many
/// this rank received; throws unless each was right.
template <class Endpoint, class Make>
std::uint32_t exchange_messages(Endpoint& endpoint, MessageMix mix, Make make) {
    mix.ranks = endpoint.processes();
    std::uint32_t received = 0;
    ProcessWaiter::Options waiting = waiting_on(endpoint, true);
    waiting.patience_seconds = patience;
    ProcessWaiter waiter(waiting);
    run_process(endpoint, waiter, make, [&](auto& protocol, int rank, ProcessWaiter& rank_waiter) {
        using World = ProcessWorld<std::remove_reference_t<decltype(protocol)>>;
        World world{protocol};
        RandomMessages<World> program(world, mix);
        program.run(rank, rank_waiter);
        if (program.wrong != 0) throw std::runtime_error("messages came wrong");
        received = program.received_messages;
    });
    return received;
}

template <class Endpoint>
std::uint32_t exchange_buffered(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = process_layout(endpoint);
    BufferedMemory memory(layout, endpoint.process(), endpoint.process() + 1);
    MessageMix mix;
    mix.messages = messages;
    mix.seed = seed;
    mix.longest_in_bursts = most_buffered_bytes;
    return exchange_messages(endpoint, mix,
                             [&](Endpoint& own) { return std::make_unique<Buffered<Endpoint>>(own, layout, memory); });
}

template <class Endpoint>
std::uint32_t exchange_receiver_initiated(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = process_layout(endpoint);
    ReceiverInitiatedMemory memory(layout, endpoint.process(), endpoint.process() + 1);
    MessageMix mix;
    mix.messages = messages;
    mix.seed = seed;
    mix.synchronous = true;
    mix.any_source = false;
    return exchange_messages(endpoint, mix, [&](Endpoint& own) {
        return std::make_unique<ReceiverInitiated<Endpoint>>(own, layout, memory);
    });
}

template <class Endpoint>
std::uint32_t exchange_matched(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = process_layout(endpoint);
    MessageMix mix;
    mix.messages = messages;
    mix.seed = seed;
    return exchange_messages(endpoint, mix,
                             [&](Endpoint& own) { return std::make_unique<MatchedMessages<Endpoint>>(own, layout); });
}

}  // namespace narrows
