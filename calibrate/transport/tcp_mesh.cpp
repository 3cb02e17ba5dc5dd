#include "calibrate/transport/tcp_mesh.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>

#include "calibrate/transport/packet.hpp"
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

JoinedPeer join_peer(const HostPort& address, const JobPlace& me, int rank, std::uint16_t own_port,
                     const JobSecret& secret, Deadline deadline) {
    JoinedPeer peer{connect_to(address, deadline), {rank, address.text()}, 0};
    claim_place(peer.socket, me, peer.name, own_port, secret, deadline);
    return peer;
}

void send_addresses(const TcpMesh& mesh, Deadline deadline) {
    std::vector<AddressText> table(mesh.peers.size());
    for (std::size_t rank = 1; rank < mesh.peers.size(); ++rank) {
        HostPort address = remote_address(mesh.peers[rank].socket);
        address.port = mesh.peers[rank].listens_at;
        const std::string text = address.text();
        std::memcpy(table[rank].data(), text.data(), std::min(text.size(), table[rank].size() - 1));
    }
    for (std::size_t rank = 1; rank < mesh.peers.size(); ++rank) {
        if (!send_all(mesh.peers[rank].socket, std::as_bytes(std::span(table)), deadline)) {
            throw TransportError::gone(mesh.peers[rank].name, "it left before all had come");
        }
    }
}

std::vector<AddressText> receive_addresses(const JoinedPeer& root, int ranks, Deadline deadline) {
    std::vector<AddressText> table(static_cast<std::size_t>(ranks));
    if (!receive_all(root.socket, std::as_writable_bytes(std::span(table)), deadline)) {
        throw TransportError::gone(root.name, "it left, or waited in vain for other ranks, before all had come");
    }
    for (AddressText& text : table) text.back() = '\0';
    return table;
}

TcpMesh join_as_root(const TcpPlace& place, const JobSecret& secret, const Socket& listener, Deadline deadline) {
    TcpMesh mesh{place.job, {}};
    mesh.peers.resize(1);
    for (JoinedPeer& peer : await_claims(listener, place.job, 1, secret, deadline))
        mesh.peers.push_back(std::move(peer));
    send_addresses(mesh, deadline);
    return mesh;
}

Socket connect_to_root(const TcpPlace& place, Deadline deadline) {
    try {
        return connect_to(place.rendezvous, deadline);
    } catch (const TransportError& error) {
        if (!place.job.again) throw;
        throw TransportError::gone({0, place.rendezvous.text()},
                                   fmt::format("it took part before, but {}", error.what()));
    }
}

TcpMesh join_as_other(const TcpPlace& place, const JobSecret& secret, Deadline deadline) {
    TcpMesh mesh{place.job, {}};
    const JobPlace& me = place.job;
    JoinedPeer root{connect_to_root(place, deadline), {0, place.rendezvous.text()}, 0};
    HostPort own_address = local_address(root.socket);
    own_address.port = 0;
    const Socket listener = listen_at(own_address);
    const std::uint16_t own_port = local_address(listener).port;
    claim_place(root.socket, me, root.name, own_port, secret, deadline);
    const std::vector<AddressText> table = receive_addresses(root, me.ranks, deadline);
    mesh.peers.push_back(std::move(root));
    for (int rank = 1; rank < me.rank; ++rank) {
        const HostPort address = HostPort::parse(table[static_cast<std::size_t>(rank)].data());
        mesh.peers.push_back(join_peer(address, me, rank, own_port, secret, deadline));
    }
    mesh.peers.emplace_back();
    for (JoinedPeer& peer : await_claims(listener, me, me.rank + 1, secret, deadline)) {
        mesh.peers.push_back(std::move(peer));
    }
    return mesh;
}

}  // namespace

TcpMesh join_mesh(const TcpPlace& place, const JobSecret& secret, Socket listener) {
    check(place.job);
    const Deadline deadline = seconds_from_now(place.join_seconds);
    if (place.job.rank != 0) return join_as_other(place, secret, deadline);
    if (place.job.ranks == 1) return {place.job, std::vector<JoinedPeer>(1)};
    if (!listener) listener = listen_at(place.rendezvous);
    return join_as_root(place, secret, listener, deadline);
}

}  // namespace narrows
