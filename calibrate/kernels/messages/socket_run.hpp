#pragma once

#include <string>
#include <vector>

#include "calibrate/kernels/messages/kernel_names.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/transport/tcp_job.hpp"

namespace narrows {

/// What came of a kernel's processes on this machine over TCP or UDP.
struct SocketRun {
    int processes = 0;
    bool crowded = false;            ///< processes outnumber the cores: a process that is pinned sees one of them
    std::vector<std::string> texts;  ///< what each process returned
};

/// Runs `body(endpoint, crowded)` in as many processes as the ranks fill, over the transport that the options of a
/// kernel say. Errors as of `result_of`.
template <class Options, class Body>
SocketRun run_over_sockets(const Options& options, int ranks, const Body& body) {
    SocketRun run;
    run.processes = ranks / options.ranks_per_process;
    run.crowded = run.processes > Cores().count();
    TcpOptions job;
    job.wire = {options.transport == Transport::udp, options.authenticated};
    const auto outcomes = run_tcp_processes(
        run.processes, [&](TcpEndpoint& endpoint, int /*process*/) { return body(endpoint, run.crowded); }, job);
    result_of(outcomes);
    for (const ProcessOutcome& outcome : outcomes) run.texts.push_back(outcome.text);
    return run;
}

}  // namespace narrows
