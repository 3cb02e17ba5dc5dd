#pragma once

#include <limits>
#include <utility>

#include "calibrate/ranks/fiber_worker.hpp"
#include "calibrate/ranks/process_waiter.hpp"
#include "calibrate/ranks/run_ranks.hpp"

namespace narrows {

/// How long a rank waits for peers that are connected but say nothing. No kernel computes as long between messages, and
/// a job whose rank is stopped or stuck ends before a night is over.
inline constexpr double longest_silence_seconds = 1800;

/// How a rank waits on this endpoint: `crowded` when ranks outnumber the cores of their machine, so that a waiting
/// rank yields its core sooner.
template <class Endpoint>
ProcessWaiter::Options waiting_on(Endpoint& endpoint, bool crowded) {
    ProcessWaiter::Options options;
    options.patience_seconds = longest_silence_seconds;
    if constexpr (requires { endpoint.rest(); }) {
        options.rest = [&endpoint](int /*earlier*/) { endpoint.rest(); };
    } else if constexpr (requires { endpoint.back_off(0); }) {
        // It does not wake when something comes: who has a core to itself goes on looking.
        if (crowded) options.rest = [&endpoint](int earlier) { endpoint.back_off(earlier); };
    }
    if (crowded) options.yields_before_rest = 8;
    return options;
}

/// Runs the ranks [first, last) of a process of a job as fibers to their end.
template <class Protocol, class Body>
void run_fibers(Protocol& protocol, ProcessWaiter& waiter, Body& body, int first, int last) {
    FiberProgram program;
    program.run = [&](int rank, FiberWaiter& own) { body(protocol, rank, own); };
    program.poll = [&](int) { return protocol.poll(); };
    program.passed = [&](bool progressed) { waiter.yield(progressed); };
    // A stack for each rank of the job, of which those of other processes are never touched. Ranks call the system
    // or MPI's library on theirs.
    constexpr std::size_t stack_bytes = std::size_t{128} << 10;
    FiberStacks stacks(last, stack_bytes, PageSize::small);
    // What comes from other processes ends any wait.
    ProgressMonitor never(1, std::numeric_limits<std::uint64_t>::max());
    FiberWorker(0, first, last, stacks, never, std::move(program)).run();
}

/// Runs a body on the ranks of this process of a protocol over TCP or MPI, as `run_shared` does on all ranks over
/// shared memory: `make(endpoint)` makes the protocol; `body(protocol, rank, waiter)` is what a rank does, a rank alone
/// on the process's thread, several as fibers. The process serves its peers until all ranks are done. Throws what the
/// body threw, and TransportError when a peer is gone.
template <class Endpoint, class Make, class Body>
void run_process(Endpoint& endpoint, ProcessWaiter& waiter, Make make, Body body) {
    const auto protocol = make(endpoint);
    if (endpoint.layout().threads()) {
        body(*protocol, endpoint.process(), waiter);
    } else {
        const int process = endpoint.process();
        run_fibers(*protocol, waiter, body, endpoint.layout().first_rank(process),
                   endpoint.layout().first_rank(process + 1));
    }
    while (!endpoint.all_done()) waiter.yield(protocol->poll());
}

}  // namespace narrows
