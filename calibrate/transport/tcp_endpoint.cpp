#include "calibrate/transport/tcp_endpoint.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace narrows {

TcpEndpoint::TcpEndpoint(TcpMesh mesh, std::size_t send_buffer_bytes)
    : rank_(mesh.job.rank), events_(epoll_create1(EPOLL_CLOEXEC)), next_check_(seconds_from_now(1)) {
    if (!events_) throw TransportError::system("watch connections", errno);
    peers_.reserve(mesh.peers.size());
    for (JoinedPeer& joined : mesh.peers) {
        const bool remote = joined.socket && !remote_address(joined.socket).loopback();
        peers_.push_back({std::move(joined.socket), joined.name, FrameWriter(send_buffer_bytes),
                          FrameReader(joined.name, rank_), remote});
        const Socket& socket = peers_.back().socket;
        if (!socket) continue;
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = joined.name.rank;
        if (epoll_ctl(events_.descriptor(), EPOLL_CTL_ADD, socket.descriptor(), &event) != 0) {
            throw TransportError::system("watch connections", errno);
        }
    }
}

TcpEndpoint::~TcpEndpoint() = default;

void TcpEndpoint::send_pending(Peer& peer) {
    if (!peer.socket || peer.unreachable) {
        // A peer that has finished drops what it is sent; own packets stay until they are polled.
        if (peer.said_farewell) peer.out.consume(peer.out.pending().size());
        return;
    }
    const Transfer sent = send_some(peer.socket, peer.out.pending());
    peer.out.consume(sent.bytes);
    // What the peer said last, perhaps why it ended, is read first: the next poll finds its end and says so.
    if (sent.state == Transfer::State::over) peer.unreachable = true;
}

std::span<const int> TcpEndpoint::readable(int wait_milliseconds) {
    constexpr unsigned polls_between_clocks = 256;
    if (++polls_ % polls_between_clocks == 0) check_hosts();
    readable_.clear();
    if (peers_.size() == 2 && wait_milliseconds == 0) {
        // One call of the system less than asking first.
        if (peers_[1 - static_cast<std::size_t>(rank_)].socket) readable_.push_back(1 - rank_);
        return readable_;
    }
    std::array<epoll_event, 64> events{};
    const int count = epoll_wait(events_.descriptor(), events.data(), events.size(), wait_milliseconds);
    for (int i = 0; i < count; ++i) readable_.push_back(events[static_cast<std::size_t>(i)].data.fd);
    return readable_;
}

void TcpEndpoint::receive(Peer& peer) {
    const Transfer received = receive_some(peer.socket, peer.in.space());
    if (received.state == Transfer::State::over) on_end(peer, received.error_number);
    peer.in.received(received.bytes);
}

void TcpEndpoint::on_end(Peer& peer, int error_number) {
    if (peer.said_farewell) {
        peer.socket.close();
    } else if (error_number == 0) {
        lose(peer.name, "it closed its connection before it had finished");
    } else {
        lose(peer.name, "its connection broke (" + std::generic_category().message(error_number) + ")");
    }
}

void TcpEndpoint::on_control(Peer& peer, const FrameReader::Frame& frame) {
    std::uint64_t word = 0;
    std::memcpy(&word, frame.payload, sizeof word);
    const Control control = Control::of(word);
    switch (control.what) {
        case Control::What::done:
            peer.said_done = true;
            return;
        case Control::What::farewell:
            peer.said_done = peer.said_farewell = true;
            return;
        case Control::What::loss:
            break;
        default:
            throw TransportError::not_a_packet(peer.name, fmt::format("an unknown word {:x}", word));
    }
    const bool known = control.rank < peers_.size() && control.rank != static_cast<std::uint64_t>(rank_);
    const PeerName& name = known ? peers_[control.rank].name : peer.name;
    lose(name, fmt::format("rank {} has lost its connection to it", peer.name.rank));
}

void TcpEndpoint::tell(Peer& peer, const Control& control, bool& told) {
    const std::uint64_t word = control.word();
    const PacketHeader header{control_kind, rank_, peer.name.rank, Control::bytes};
    if (!told) told = peer.out.append(header, {&word, Control::bytes});
    send_pending(peer);
}

void TcpEndpoint::check_hosts() {
    if (std::chrono::steady_clock::now() < next_check_) return;
    next_check_ = seconds_from_now(1);
    for (const Peer& peer : peers_) {
        if (peer.remote && peer.socket && is_unresponsive(peer.socket)) {
            constexpr double little = 0.5;  // most of the five seconds have passed until this is known
            lose(peer.name, "its host has not answered for seconds", little);
        }
    }
}

bool TcpEndpoint::tell_loss(const PeerName& lost) {
    const Control control{Control::What::loss, static_cast<std::uint64_t>(lost.rank)};
    bool all = true;
    for (Peer& peer : peers_) {
        if (!peer.socket || peer.unreachable || peer.name.rank == lost.rank) continue;
        tell(peer, control, peer.told_loss);
        const bool arrived = peer.told_loss && peer.out.pending().empty() && unacknowledged(peer.socket) == 0;
        all = all && (peer.unreachable || arrived);
    }
    return all;
}

void TcpEndpoint::lose(const PeerName& lost, const std::string& how, double patience_seconds) {
    // Others would otherwise take this process, which ends now, for the cause. What has not arrived when a connection
    // is closed with something unread is lost.
    const Deadline deadline = seconds_from_now(patience_seconds);
    while (!tell_loss(lost) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    throw TransportError::gone(lost, how);
}

bool TcpEndpoint::has_pending() const {
    return std::any_of(peers_.begin(), peers_.end(), [](const Peer& peer) { return !peer.out.pending().empty(); });
}

void TcpEndpoint::rest() {
    if (has_pending()) {
        sched_yield();
    } else {
        readable(1);
    }
}

bool TcpEndpoint::all_done() {
    bool all = true;
    for (Peer& peer : peers_) {
        if (!peer.socket) continue;
        if (!peer.told_done) tell(peer, {Control::What::done}, peer.told_done);
        all = all && peer.told_done && peer.said_done;
    }
    return all;
}

bool TcpEndpoint::say_farewell() {
    bool all = true;
    for (Peer& peer : peers_) {
        if (!peer.socket) continue;
        tell(peer, {Control::What::farewell}, peer.told_farewell);
        all = all && peer.told_farewell && peer.out.pending().empty();
    }
    return all;
}

void TcpEndpoint::finish() {
    constexpr int patience_milliseconds = 10;
    for (;;) {
        const bool told = say_farewell();
        poll([](PacketHeader, const std::byte*) {});
        const bool heard = std::all_of(peers_.begin(), peers_.end(),
                                       [](const Peer& peer) { return !peer.socket || peer.said_farewell; });
        if (told && heard) return;
        readable(told ? patience_milliseconds : 1);
    }
}

}  // namespace narrows
