#pragma once

#include <poll.h>

#include <utility>
#include <vector>

#include "calibrate/transport/tcp_endpoint.hpp"
#include "tests/patience.hpp"

namespace narrows {

/// Both ends of a connection over loopback.
inline std::pair<Socket, Socket> connected_pair() {
    const Socket listener = listen_at({"127.0.0.1", 0});
    Socket one = connect_to(local_address(listener), seconds_from_now(patience));
    pollfd waited{listener.descriptor(), POLLIN, 0};
    ::poll(&waited, 1, static_cast<int>(1000 * patience));
    return {std::move(one), accept_one(listener)};
}

/// The connections of rank 0 to `ranks` - 1 others, whose other ends a test holds: `far[rank]`. Not authenticated.
struct NearAndFar {
    explicit NearAndFar(int ranks) : far(static_cast<std::size_t>(ranks)) {
        near.job = {0, ranks, false, {.udp = false, .authenticated = false}};
        near.peers.resize(static_cast<std::size_t>(ranks));
        for (int rank = 1; rank < ranks; ++rank) {
            const auto at = static_cast<std::size_t>(rank);
            auto [one, other] = connected_pair();
            near.peers[at] = {std::move(one), {rank, "there:" + std::to_string(rank)}, 0};
            far[at] = std::move(other);
        }
    }
    TcpMesh near;
    std::vector<Socket> far;
};

}  // namespace narrows
