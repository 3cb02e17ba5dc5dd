#pragma once

#include "calibrate/messaging/gateway.hpp"
#include "calibrate/messaging/receiver_initiated.hpp"
#include "calibrate/ranks/fiber_stacks.hpp"
#include "calibrate/ranks/virtual_worker.hpp"
#include "calibrate/transport/virtual_endpoint.hpp"

namespace narrows {

/// What a run in virtual time took.
struct VirtualTimes {
    double seconds = 0;          ///< of the last rank's clock, in virtual time
    std::vector<double> busy;    ///< of each rank, then of each gateway: seconds that it was not waiting
    std::uint64_t switches = 0;  ///< of ranks, and things done by gateways
};

/// Runs `body(messages, rank, waiter)` on all ranks in virtual time by receiver-initiated messages. If `domain` is
/// above 0, those between ranks that share no place of `costs` go through gateways. The same protocol code as over
/// shared memory; `costs` say what its steps take. `report` is called now and then with the units of work done.
/// MessagingError when the ranks wait for each other for ever.
template <class Body>
VirtualTimes run_virtual(int ranks, int domain, const VirtualCosts& costs,
                         const std::function<void(std::uint64_t)>& report, const Body& body) {
    GatewayShape shape{ranks, domain};
    // A slot for each rank of a domain, which has one message under way at most: nobody waits for a slot, only for the
    // controller, who serves what comes first.
    shape.slots = domain;
    shape.near = costs.places.back().ranks;
    const int all = with_gateways(ranks, domain);
    // A worker beside that of the ranks, so that they are fibers though there be one.
    const RankLayout layout{all, all == 1 ? 2 : 1};
    VirtualEndpoint endpoint;
    VirtualTimes times;
    const auto execute = [&](auto& messages, Bells& bells, const auto& inner) {
        VirtualProgram program;
        program.run = [&](int rank, VirtualWaiter& waiter) { inner(messages, rank, waiter); };
        if constexpr (requires { messages.turn(0, 0.0); }) {
            program.turn = [&](int server, double free) { return messages.turn(server, free); };
            program.serve = [&](int server, ServerClock& clock) { messages.serve(server, clock); };
        }
        program.report = report;
        FiberStacks stacks(ranks, default_stack_bytes, PageSize::large);
        VirtualWorker worker(ranks, all - ranks, stacks, std::move(program));
        bells.wake_by(&worker);
        if (!worker.run()) throw MessagingError("deadlock: every rank waits for a message, and none is under way");
        for (int rank = 0; rank < ranks; ++rank) times.seconds = std::max(times.seconds, worker.clock(rank));
        for (int id = 0; id < all; ++id) times.busy.push_back(worker.busy(id));
        times.switches = worker.switches();
    };
    if (domain == 0) {
        ReceiverInitiatedMemory memory(layout);
        memory.descriptors.use(costs);
        ReceiverInitiated<VirtualEndpoint> messages(endpoint, layout, memory);
        execute(messages, memory.bells, body);
    } else {
        GatewayMemory memory(layout, shape);
        memory.use(costs);
        GatewayMessages<VirtualEndpoint> messages(endpoint, layout, memory);
        execute(messages, memory.bells(), [&](auto& gateways, int rank, VirtualWaiter& waiter) {
            body(gateways, rank, waiter);
            gateways.finish(rank);
        });
    }
    return times;
}

}  // namespace narrows
