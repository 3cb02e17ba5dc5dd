#pragma once

#include <functional>
#include <string>
#include <vector>

#include "calibrate/transport/processes.hpp"
#include "calibrate/transport/tcp_endpoint.hpp"

namespace narrows {

/// What a rank of a job runs. Its result must not depend on how the job came together.
using TcpBody = std::function<std::string(TcpEndpoint& endpoint, int rank)>;

struct TcpOptions {
    std::size_t send_buffer_bytes = TcpEndpoint::default_send_buffer_bytes;
    double grace_seconds = usual_grace_seconds;
    Wire wire = {};
};

/// A job of processes of this machine, that find each other on loopback and know each other by a secret that is made
/// here and inherited, so that it stands in no command line, environment or file. Must be called before this process
/// has threads. Throws InputError, and as `run_processes`.
std::vector<ProcessOutcome> run_tcp_processes(int ranks, const TcpBody& body, const TcpOptions& options = {});

/// This process's part in a job whose processes were started one by one, on any hosts: joins it, runs `body` and waits
/// for the others to finish theirs. Returns what `body` returns. Throws TransportError, and what `body` throws.
std::string run_tcp_rank(const TcpPlace& place, const JobSecret& secret, const TcpBody& body,
                         std::size_t send_buffer_bytes = TcpEndpoint::default_send_buffer_bytes);

}  // namespace narrows
