#pragma once

#include <cstdint>
#include <vector>

#include "calibrate/ranks/process_host.hpp"
#include "calibrate/transport/frame_seal.hpp"
#include "calibrate/transport/job_secret.hpp"
#include "calibrate/transport/tcp_socket.hpp"
#include "calibrate/transport/transport_error.hpp"

namespace narrows {

// How two processes that connect make sure of each other. The one that was connected to sends a nonce; the other says
// who it is and proves the secret over both nonces; the first then proves it too. The secret itself never travels, and
// a proof holds for these nonces, ranks and this direction alone. What is sent afterwards is not encrypted; it is
// authenticated (frame_seal.hpp) with keys that follow from the secret and both nonces, unless the user does without.

/// How packets travel; the same for all processes of a job.
struct Wire {
    bool udp = false;
    bool authenticated = true;
};

/// Which process of a job this is.
struct JobPlace {
    int rank = 0;
    int ranks = 1;
    /// All have met before, so that one who does not come has left.
    bool again = false;
    Wire wire = {};
};

/// Where a process is reached.
struct OwnPorts {
    std::uint16_t listens_at = 0;
    std::uint16_t datagrams_at = 0;  ///< over UDP
};

/// A connection whose other end has proved that it belongs to the job.
struct JoinedPeer {
    Socket socket;
    PeerName name;
    /// Where the peer listens for others, if it does: the port at the address that it came from.
    std::uint16_t listens_at = 0;
    std::uint16_t datagrams_at = 0;
    ProcessHost host = {};
    PeerKeys keys = {};
    /// Of what `send_proved` and `receive_proved` have moved.
    std::uint64_t proved_out = 0;
    std::uint64_t proved_in = 0;
};

/// The connecting side: claims to be `me`, reached at `own`, on a connection to `peer`. Throws TransportError when
/// `peer` does not speak this protocol, does not prove the secret or refuses.
JoinedPeer claim_place(Socket socket, const JobPlace& me, const PeerName& peer, OwnPorts own, const JobSecret& secret,
                       Deadline deadline);

/// The side that is connected to: waits for the ranks first … ranks-1 of the job at `listener`. Whoever says nothing
/// within `handshake_seconds`, or cannot prove the secret, is dropped, and holds up nobody. Throws TransportError when
/// the deadline passes, with the ranks that did not come.
std::vector<JoinedPeer> await_claims(const Socket& listener, const JobPlace& me, int first, OwnPorts own,
                                     const JobSecret& secret, Deadline deadline);

/// Moves all bytes and their tag, before any frames. False when the peer closes the connection or the deadline passes.
bool send_proved(JoinedPeer& peer, std::span<const std::byte> bytes, Deadline deadline);
/// The same on the other side. Throws TransportError when the tag is not the peer's.
bool receive_proved(JoinedPeer& peer, std::span<std::byte> space, Deadline deadline);

/// How long a connection may take to prove itself.
inline constexpr double handshake_seconds = 30;

}  // namespace narrows
