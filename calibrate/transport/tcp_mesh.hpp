#pragma once

#include <vector>

#include "calibrate/transport/tcp_handshake.hpp"

namespace narrows {

/// Where and how a process joins its job.
struct TcpPlace {
    JobPlace job;
    /// Where rank 0 listens until all have come. Only who can reach this address can try to join: with a loopback
    /// address, only processes of this machine.
    HostPort rendezvous;
    /// How long all ranks may take to come.
    double join_seconds = 30;
};

/// The connections of one process to all others: `peers[rank]`, with no socket at its own rank.
struct TcpMesh {
    JobPlace job;
    std::vector<JoinedPeer> peers;
    /// Where this process receives datagrams, in a job over UDP.
    Socket datagrams = {};
};

/// Joins the job: every process connects to rank 0, learns from it where the others listen, and connects to those of
/// lower rank. The others listen at the address by which they reach rank 0. `listener` is rank 0's if it listens
/// already. Throws TransportError when that does not come to an end in time, InputError for an impossible place.
TcpMesh join_mesh(const TcpPlace& place, const JobSecret& secret, Socket listener = {});

}  // namespace narrows
