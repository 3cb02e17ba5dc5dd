#pragma once

#include <cstdint>
#include <vector>

#include "calibrate/transport/job_secret.hpp"
#include "calibrate/transport/tcp_socket.hpp"
#include "calibrate/transport/transport_error.hpp"

namespace narrows {

// How two processes that connect make sure of each other. The one that was connected to sends a nonce; the other says
// who it is and proves the secret over both nonces; the first then proves it too. The secret itself never travels, and
// a proof holds for these nonces, ranks and this direction alone. What is sent afterwards is neither encrypted nor
// signed: on a network where others could alter it, run the job inside a tunnel.

/// Which process of a job this is.
struct JobPlace {
    int rank = 0;
    int ranks = 1;
    /// All have met before, so that one who does not come has left.
    bool again = false;
};

/// A connection whose other end has proved that it belongs to the job.
struct JoinedPeer {
    Socket socket;
    PeerName name;
    /// Where the peer listens for others, if it does: the port at the address that it came from.
    std::uint16_t listens_at = 0;
};

/// The connecting side: claims to be `me`, listening at `own_port`, on a connection to `peer`. Throws TransportError
/// when `peer` does not speak this protocol, does not prove the secret or refuses.
void claim_place(const Socket& socket, const JobPlace& me, const PeerName& peer, std::uint16_t own_port,
                 const JobSecret& secret, Deadline deadline);

/// The side that is connected to: waits for the ranks first … ranks-1 of the job at `listener`. Whoever says nothing
/// within `handshake_seconds`, or cannot prove the secret, is dropped, and holds up nobody. Throws TransportError when
/// the deadline passes, with the ranks that did not come.
std::vector<JoinedPeer> await_claims(const Socket& listener, const JobPlace& me, int first, const JobSecret& secret,
                                     Deadline deadline);

/// How long a connection may take to prove itself.
inline constexpr double handshake_seconds = 30;

}  // namespace narrows
