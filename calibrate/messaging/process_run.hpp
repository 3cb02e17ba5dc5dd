#pragma once

#include "calibrate/ranks/process_waiter.hpp"
#include "calibrate/ranks/run_ranks.hpp"

namespace narrows {

/// The ranks of a job with one process each.
template <class Endpoint>
RankLayout process_layout(const Endpoint& endpoint) {
    return {endpoint.processes(), endpoint.processes()};
}

/// How long a rank waits for peers that are connected but say nothing. No kernel computes as long between messages, and
/// a job whose rank is stopped or stuck ends before a night is over.
inline constexpr double longest_silence_seconds = 1800;

/// How a rank waits on this endpoint: `crowded` when ranks outnumber the cores of their machine, so that who waits gets
/// out of the way sooner.
template <class Endpoint>
ProcessWaiter::Options waiting_on(Endpoint& endpoint, bool crowded) {
    ProcessWaiter::Options options;
    options.patience_seconds = longest_silence_seconds;
    if constexpr (requires { endpoint.rest(); }) options.rest = [&endpoint] { endpoint.rest(); };
    if (crowded) options.yields_before_rest = 8;
    return options;
}

/// Runs a body on this process's rank of a protocol over TCP or MPI, as `run_shared` does on all ranks over shared
/// memory: `make(endpoint)` makes the protocol; `body(protocol, rank, waiter)` is what the rank does. The process
/// serves its peers until all ranks are done. Throws what the body threw, and TransportError when a peer is gone.
template <class Endpoint, class Make, class Body>
void run_process(Endpoint& endpoint, ProcessWaiter& waiter, Make make, Body body) {
    const auto protocol = make(endpoint);
    body(*protocol, endpoint.process(), waiter);
    while (!endpoint.all_done()) waiter.yield(protocol->poll());
}

}  // namespace narrows
