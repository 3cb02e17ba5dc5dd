#include "calibrate/transport/tcp_mesh.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "calibrate/transport/packet.hpp"
#include "calibrate/transport/udp_links.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

/// HOST:PORT, filled up with zeros.
using AddressText = std::array<char, 64>;

void check(const JobPlace& job) {
    // Each pair of processes has a connection, each process a descriptor for it.
    constexpr int most_processes = 4096;
    if (job.ranks < 1 || job.ranks > most_processes) {
        throw InputError(fmt::format("{} processes cannot run over TCP: give 1 to {}", job.ranks, most_processes));
    }
    if (job.rank < 0 || job.rank >= job.ranks) {
        throw InputError(
            fmt::format("there is no rank {} of {}: ranks are 0 to {}", job.rank, job.ranks, job.ranks - 1));
    }
}

// Where others reach this process, which listens at `own`: makes the socket for datagrams too where there is one.
OwnPorts ports_of(TcpMesh& mesh, const Socket& listener) {
    HostPort own = local_address(listener);
    OwnPorts ports{own.port, 0};
    if (!mesh.job.wire.udp) return ports;
    own.port = 0;
    mesh.datagrams = datagram_socket_at(own);
    ports.datagrams_at = local_address(mesh.datagrams).port;
    return ports;
}

void send_addresses(TcpMesh& mesh, Deadline deadline) {
    std::vector<AddressText> table(mesh.peers.size());
    for (std::size_t rank = 1; rank < mesh.peers.size(); ++rank) {
        HostPort address = remote_address(mesh.peers[rank].socket);
        address.port = mesh.peers[rank].listens_at;
        const std::string text = address.text();
        std::memcpy(table[rank].data(), text.data(), std::min(text.size(), table[rank].size() - 1));
    }
    for (std::size_t rank = 1; rank < mesh.peers.size(); ++rank) {
        if (!send_proved(mesh.peers[rank], std::as_bytes(std::span(table)), deadline)) {
            throw TransportError::gone(mesh.peers[rank].name, "it ended before all had joined");
        }
    }
}

std::vector<AddressText> receive_addresses(JoinedPeer& root, int ranks, Deadline deadline) {
    std::vector<AddressText> table(static_cast<std::size_t>(ranks));
    if (!receive_proved(root, std::as_writable_bytes(std::span(table)), deadline)) {
        throw TransportError::gone(root.name, "it ended, or timed out waiting for other ranks, before all had joined");
    }
    for (AddressText& text : table) text.back() = '\0';
    return table;
}

TcpMesh join_as_root(const TcpPlace& place, const JobSecret& secret, const Socket& listener, Deadline deadline) {
    TcpMesh mesh{place.job, {}};
    mesh.peers.resize(1);
    const OwnPorts ports = ports_of(mesh, listener);
    for (JoinedPeer& peer : await_claims(listener, place.job, 1, ports, secret, deadline)) {
        mesh.peers.push_back(std::move(peer));
    }
    send_addresses(mesh, deadline);
    return mesh;
}

Socket connect_to_root(const TcpPlace& place, Deadline deadline) {
    try {
        return connect_to(place.rendezvous, deadline);
    } catch (const TransportError& error) {
        if (!place.job.again) throw;
        throw TransportError::gone({0, place.rendezvous.text()},
                                   fmt::format("it had joined before, but {}", error.what()));
    }
}

TcpMesh join_as_other(const TcpPlace& place, const JobSecret& secret, Deadline deadline) {
    TcpMesh mesh{place.job, {}};
    const JobPlace& me = place.job;
    Socket connection = connect_to_root(place, deadline);
    HostPort own_address = local_address(connection);
    own_address.port = 0;
    const Socket listener = listen_at(own_address);
    const OwnPorts ports = ports_of(mesh, listener);
    JoinedPeer root = claim_place(std::move(connection), me, {0, place.rendezvous.text()}, ports, secret, deadline);
    const std::vector<AddressText> table = receive_addresses(root, me.ranks, deadline);
    mesh.peers.push_back(std::move(root));
    for (int rank = 1; rank < me.rank; ++rank) {
        const HostPort address = HostPort::parse(table[static_cast<std::size_t>(rank)].data());
        mesh.peers.push_back(
            claim_place(connect_to(address, deadline), me, {rank, address.text()}, ports, secret, deadline));
    }
    mesh.peers.emplace_back();
    for (JoinedPeer& peer : await_claims(listener, me, me.rank + 1, ports, secret, deadline)) {
        mesh.peers.push_back(std::move(peer));
    }
    return mesh;
}

}  // namespace

TcpMesh join_mesh(const TcpPlace& place, const JobSecret& secret, Socket given) {
    // A parameter would listen on until the caller's whole expression is over, which may be that of a run: a rank that
    // has left the run sooner would join it again in place of the next.
    Socket listener = std::move(given);
    check(place.job);
    const Deadline deadline = seconds_from_now(place.join_seconds);
    if (place.job.rank != 0) return join_as_other(place, secret, deadline);
    if (place.job.ranks == 1) return {place.job, std::vector<JoinedPeer>(1), {}};
    if (!listener) listener = listen_at(place.rendezvous);
    return join_as_root(place, secret, listener, deadline);
}

}  // namespace narrows
