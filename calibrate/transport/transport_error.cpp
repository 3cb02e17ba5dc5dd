#include "calibrate/transport/transport_error.hpp"

#include <fmt/format.h>

#include <system_error>

namespace narrows {

std::string PeerName::text() const {
    return address.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} at {}", rank, address);
}

TransportError TransportError::gone(const PeerName& peer, const std::string& how) {
    return TransportError(
        fmt::format("{} is gone: {}; see its last messages, then start the job again", peer.text(), how));
}

TransportError TransportError::not_a_packet(const PeerName& peer, const std::string& what) {
    return TransportError(fmt::format("{} sent {}: do both run the same version?", peer.text(), what));
}

TransportError TransportError::not_authentic(const PeerName& peer) {
    return TransportError(
        fmt::format("a message in the name of {} is not authentic: it was altered or forged on the way; find out who "
                    "else uses this network, then start the job again",
                    peer.text()));
}

TransportError TransportError::not_joined(const PeerName& peer, const std::string& why) {
    return TransportError(fmt::format("{} cannot be joined: {}", peer.text(), why));
}

TransportError TransportError::system(const std::string& doing, int error_number) {
    return TransportError(fmt::format("cannot {}: {}", doing, std::generic_category().message(error_number)));
}

}  // namespace narrows
