#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "calibrate/messaging/buffered.hpp"
#include "calibrate/messaging/command_messages.hpp"
#include "calibrate/messaging/matched_messages.hpp"
#include "calibrate/messaging/process_run.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "tests/calibrate/messaging/check_messages.hpp"
#include "tests/calibrate/messaging/random_puts.hpp"
#include "tests/patience.hpp"

namespace narrows {

/// This process's protocol, as RandomMessages wants a world.
template <class Protocol>
struct ProcessWorld {
    Protocol& only;
    Protocol& protocol(int) { return only; }
};

/// Exchanges random messages, or puts, with the other processes by the protocol that `make(endpoint)` makes. Returns
/// how many this rank received; throws unless each was right.
template <template <class> class Program = RandomMessages, class Endpoint, class Make>
std::uint32_t exchange_messages(Endpoint& endpoint, const MessageMix& mix, Make make) {
    std::uint32_t received = 0;
    ProcessWaiter::Options waiting = waiting_on(endpoint, true);
    waiting.patience_seconds = patience;
    ProcessWaiter waiter(waiting);
    run_process(endpoint, waiter, make, [&](auto& protocol, int rank, auto& rank_waiter) {
        using World = ProcessWorld<std::remove_reference_t<decltype(protocol)>>;
        World world{protocol};
        Program<World> program(world, mix);
        program.run(rank, rank_waiter);
        if (program.wrong != 0) throw std::runtime_error("messages came wrong");
        received = program.received_messages;
    });
    return received;
}

template <class Endpoint>
std::uint32_t exchange_buffered(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = endpoint.layout();
    BufferedMemory memory(layout, endpoint.process(), endpoint.process() + 1);
    return exchange_messages(endpoint, buffered_mix(layout.ranks, messages, seed),
                             [&](Endpoint& own) { return std::make_unique<Buffered<Endpoint>>(own, layout, memory); });
}

template <class Endpoint>
std::uint32_t exchange_receiver_initiated(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = endpoint.layout();
    ReceiverInitiatedMemory memory(layout, endpoint.process(), endpoint.process() + 1);
    return exchange_messages(endpoint, synchronous_mix(layout.ranks, messages, seed), [&](Endpoint& own) {
        return std::make_unique<ReceiverInitiated<Endpoint>>(own, layout, memory);
    });
}

template <class Endpoint>
std::uint32_t exchange_matched(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = endpoint.layout();
    return exchange_messages(endpoint, mix_of(layout.ranks, messages, seed),
                             [&](Endpoint& own) { return std::make_unique<MatchedMessages<Endpoint>>(own, layout); });
}

template <class Endpoint>
std::uint32_t exchange_by_rendezvous(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = endpoint.layout();
    return exchange_messages(endpoint, synchronous_mix(layout.ranks, messages, seed), [&](Endpoint& own) {
        return std::make_unique<MatchedMessages<Endpoint>>(own, layout, 0);
    });
}

template <class Endpoint>
std::uint32_t exchange_by_commands(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = endpoint.layout();
    return exchange_messages(endpoint, synchronous_mix(layout.ranks, messages, seed),
                             [&](Endpoint& own) { return std::make_unique<CommandMessages<Endpoint>>(own, layout); });
}

template <class Endpoint>
std::uint32_t exchange_puts(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed) {
    const RankLayout layout = endpoint.layout();
    return exchange_messages<RandomPuts>(endpoint, mix_of(layout.ranks, messages, seed), [&](Endpoint& own) {
        return std::make_unique<QueueWithLanes<Endpoint>>(own, layout);
    });
}

/// The random exchange of one protocol between processes.
template <class Endpoint>
struct ProcessExchange {
    const char* protocol;
    std::uint32_t (*run)(Endpoint& endpoint, std::uint32_t messages, std::uint64_t seed);
};

/// Of every protocol that runs between processes.
template <class Endpoint>
std::vector<ProcessExchange<Endpoint>> process_exchanges() {
    return {{"matched", exchange_matched<Endpoint>},
            {"rendezvous", exchange_by_rendezvous<Endpoint>},
            {"buffered", exchange_buffered<Endpoint>},
            {"receiver-initiated", exchange_receiver_initiated<Endpoint>},
            {"command messages", exchange_by_commands<Endpoint>},
            {"command queue", exchange_puts<Endpoint>}};
}

}  // namespace narrows
