#include "calibrate/transport/tcp_endpoint.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "calibrate/transport/udp_links.hpp"

namespace narrows {

namespace {

std::unique_ptr<UdpLinks> links_of(TcpMesh& mesh) {
    std::vector<UdpPeer> peers;
    for (const JoinedPeer& joined : mesh.peers) {
        UdpPeer peer{joined.name, {}, joined.keys.session, {joined.keys, mesh.job.wire.authenticated}};
        if (joined.socket) peer.address = {remote_address(joined.socket).host, joined.datagrams_at};
        peers.push_back(peer);
    }
    return std::make_unique<UdpLinks>(mesh.job.rank, std::move(mesh.datagrams), std::move(peers));
}

}  // namespace

TcpEndpoint::TcpEndpoint(TcpMesh mesh, std::size_t send_buffer_bytes)
    : rank_(mesh.job.rank),
      layout_{mesh.job.ranks, mesh.job.ranks},
      events_(epoll_create1(EPOLL_CLOEXEC)),
      last_check_(std::chrono::steady_clock::now()),
      next_words_(last_check_) {
    if (!events_) throw TransportError::system("watch connections", errno);
    if (mesh.datagrams) {
        udp_ = links_of(mesh);
        watch(udp_->descriptor(), rank_);
    }
    std::vector<TcpConnection*> connections;
    std::vector<ProcessHost> hosts{ProcessHost::own()};
    peers_.reserve(mesh.peers.size());
    for (JoinedPeer& joined : mesh.peers) {
        Peer peer{nullptr, joined.name, FrameWriter(send_buffer_bytes), FrameReader(joined.name, rank_), nullptr};
        if (joined.socket) {
            const FrameSeals seals(joined.keys, mesh.job.wire.authenticated);
            peer.tcp = std::make_unique<TcpConnection>(std::move(joined.socket), joined.name, seals);
            watch(peer.tcp->socket().descriptor(), joined.name.rank);
            connections.push_back(peer.tcp.get());
            hosts.push_back(joined.host);
            if (udp_) peer.words.reset(new Words{FrameWriter(0), FrameReader(joined.name, rank_)});
        }
        peers_.push_back(std::move(peer));
    }
    crowded_ = outnumber_processors(hosts, hosts.front());
    signs_of_life_ = signs_of_life(std::move(connections));
}

void TcpEndpoint::watch(int descriptor, int rank) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = rank;
    if (epoll_ctl(events_.descriptor(), EPOLL_CTL_ADD, descriptor, &event) != 0) {
        throw TransportError::system("watch connections", errno);
    }
}

TcpEndpoint::~TcpEndpoint() = default;

void TcpEndpoint::use(const RankLayout& layout) {
    layout_ = layout;
    for (Peer& peer : peers_) peer.in.use(layout);
}

void TcpEndpoint::send_pending(Peer& peer) {
    if (!peer.tcp || !peer.tcp->is_open() || peer.unreachable) {
        // A peer that has finished drops what it is sent; own packets stay until they are polled.
        if (peer.said_farewell) peer.out.consume(peer.out.pending().size());
    } else if (udp_) {
        if (udp_->send(peer.name.rank, peer.out)) peer.tcp->said_elsewhere();
    } else {
        send_words(peer);
    }
}

void TcpEndpoint::send_words(Peer& peer) {
    if (peer.unreachable || !peer.tcp->is_open()) return;
    // What the peer said last, perhaps why it ended, is read first: the next poll finds its end and says so.
    if (!peer.tcp->send(words_to(peer))) peer.unreachable = true;
}

void TcpEndpoint::tend() {
    udp_->tend();
}

// Waits until something can be received.
void TcpEndpoint::await(int milliseconds) {
    epoll_event event{};
    epoll_wait(events_.descriptor(), &event, 1, milliseconds);
    check_silence();
}

std::span<const int> TcpEndpoint::readable() {
    constexpr unsigned polls_between_clocks = 256;
    if (++polls_ % polls_between_clocks == 0) check_silence();
    readable_.clear();
    if (udp_) return datagrams_come();
    if (peers_.size() == 2) {
        // One call of the system less than asking first.
        const std::size_t other = 1 - static_cast<std::size_t>(rank_);
        if (peers_[other].tcp->is_open()) readable_.push_back(1 - rank_);
        return readable_;
    }
    std::array<epoll_event, 64> events{};
    const int count = epoll_wait(events_.descriptor(), events.data(), events.size(), 0);
    for (int i = 0; i < count; ++i) readable_.push_back(events[static_cast<std::size_t>(i)].data.fd);
    return readable_;
}

std::span<const int> TcpEndpoint::datagrams_come() {
    udp_->receive([this](int process) -> FrameReader& { return peers_[static_cast<std::size_t>(process)].in; },
                  readable_);
    for (const int rank : readable_) peers_[static_cast<std::size_t>(rank)].speaks();
    const Deadline now = std::chrono::steady_clock::now();
    if (now < next_words_) return readable_;
    next_words_ = now + std::chrono::milliseconds(1);
    std::array<epoll_event, 64> events{};
    const int count = epoll_wait(events_.descriptor(), events.data(), events.size(), 0);
    for (int i = 0; i < count; ++i) {
        const int rank = events[static_cast<std::size_t>(i)].data.fd;
        if (rank != rank_) receive_words(peers_[static_cast<std::size_t>(rank)]);
    }
    return readable_;
}

void TcpEndpoint::receive(Peer& peer, FrameReader& in) {
    const Transfer received = peer.tcp->receive(in);
    if (received.state == Transfer::State::over) on_end(peer, received.error_number);
}

void TcpEndpoint::receive_words(Peer& peer) {
    receive(peer, peer.words->in);
    FrameReader::Frame frame;
    while (peer.words->in.next(frame)) {
        if (frame.header.kind != control_kind) {
            throw TransportError::not_a_packet(peer.name, "a packet over TCP in a job over UDP");
        }
        on_control(peer, frame);
    }
}

void TcpEndpoint::on_end(Peer& peer, int error_number) {
    if (peer.said_farewell) {
        peer.tcp->close();
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
    if (control.rank == static_cast<std::uint64_t>(rank_)) {
        lose(peer.name, "it ended because it or another rank no longer reaches this one", patience_for_telling_late);
    }
    const bool known = control.rank < peers_.size();
    const PeerName& name = known ? peers_[control.rank].name : peer.name;
    lose(name, fmt::format("rank {} has lost its connection to it", peer.name.rank), patience_for_telling_late);
}

void TcpEndpoint::tell(Peer& peer, FrameWriter& out, const Control& control, bool& told) {
    const std::uint64_t word = control.word();
    const PacketHeader header{control_kind, rank_, peer.name.rank, Control::bytes};
    if (!told) told = out.append(header, {&word, Control::bytes});
    if (&out == &peer.out) {
        send_pending(peer);
    } else {
        send_words(peer);
    }
}

// What a peer says waits behind what others send over the same links. How long that takes round trips know; those to
// all peers, as what it says itself may not have come since the links filled.
double TcpEndpoint::longest_round_trip() const {
    double longest = udp_ ? udp_->longest_round_trip() : 0;
    for (const Peer& peer : peers_) {
        if (peer.tcp && peer.tcp->is_open()) longest = std::max(longest, round_trip(peer.tcp->socket()));
    }
    return longest;
}

void TcpEndpoint::check_silence() {
    constexpr double between = 0.25;
    const Deadline now = std::chrono::steady_clock::now();
    // However long this process did not look, others may have spoken meanwhile: that is no silence of theirs.
    const double passed = std::min(std::chrono::duration<double>(now - last_check_).count(), 2 * between);
    if (passed < between) return;
    last_check_ = now;
    for (Peer& peer : peers_) {
        if (!peer.tcp || !peer.tcp->is_open() || peer.said_farewell) continue;
        peer.silent_seconds += passed;
        if (peer.tcp->has_spoken()) peer.speaks();
        constexpr double quick = 3.5;
        if (peer.silent_seconds < quick) continue;
        const double patience = peer.has_started ? quick + 2 * longest_round_trip() : 60;
        if (peer.silent_seconds < patience) continue;
        lose(peer.name,
             fmt::format("it has been silent for {:.1f} s: it was stopped, or its host or its link failed", patience),
             patience_for_telling_late);
    }
}

bool TcpEndpoint::tell_loss(const PeerName& lost) {
    const Control control{Control::What::loss, static_cast<std::uint64_t>(lost.rank)};
    bool all = true;
    for (Peer& peer : peers_) {
        if (!peer.tcp || !peer.tcp->is_open() || peer.unreachable) continue;
        FrameWriter& out = words_to(peer);
        tell(peer, out, control, peer.told_loss);
        const bool arrived = peer.told_loss && out.pending().empty() && peer.tcp->is_settled();
        constexpr double long_silent = 2;  // perhaps behind the same link: not waited for
        // The lost one too may be there, behind a link that is down for others.
        const bool waited_for = peer.name.rank != lost.rank && peer.silent_seconds <= long_silent;
        all = all && (peer.unreachable || arrived || !waited_for);
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

// Waits until something can be received, or sent to who has been sent more than the system took.
void TcpEndpoint::rest() {
    if (udp_) return await(1);
    std::vector<pollfd> waited{{events_.descriptor(), POLLIN, 0}};
    for (const Peer& peer : peers_) {
        const bool blocked = peer.tcp && peer.tcp->is_open() && has_more(peer);
        if (blocked) waited.push_back({peer.tcp->socket().descriptor(), POLLOUT, 0});
    }
    ::poll(waited.data(), waited.size(), 1);
    check_silence();
}

bool TcpEndpoint::all_done() {
    bool all = true;
    for (Peer& peer : peers_) {
        if (!peer.tcp) continue;
        if (!peer.told_done) tell(peer, peer.out, {Control::What::done}, peer.told_done);
        all = all && peer.told_done && peer.said_done;
    }
    return all;
}

void TcpEndpoint::on_report(Peer& peer, const FrameReader::Frame& frame) {
    std::uint64_t all = 0;
    const std::size_t bytes = frame.header.bytes - sizeof all;
    if (frame.header.bytes >= sizeof all) std::memcpy(&all, frame.payload, sizeof all);
    if (frame.header.bytes < sizeof all || peer.report.size() + bytes > all) {
        throw TransportError::not_a_packet(peer.name, fmt::format("a report of {} bytes", frame.header.bytes));
    }
    peer.report.append(reinterpret_cast<const char*>(frame.payload) + sizeof all, bytes);
    peer.report_bytes = all;
}

void TcpEndpoint::report(const std::string& own) {
    constexpr std::size_t most = most_packet_bytes - sizeof(std::uint64_t);
    const std::uint64_t all = own.size();
    for (std::size_t at = 0; at < own.size() || at == 0; at += most) {
        const auto bytes = static_cast<std::uint32_t>(std::min(most, own.size() - at));
        const Payload payload{&all, sizeof all, own.data() + at, bytes};
        while (!peers_.front().out.append({report_kind, rank_, 0, payload.bytes()}, payload)) {
            send_pending(peers_.front());
            poll([](PacketHeader, const std::byte*) {});
        }
    }
    send_pending(peers_.front());
}

std::vector<std::string> TcpEndpoint::gather(const std::string& own) {
    if (rank_ != 0) {
        report(own);
        return {};
    }
    std::vector<std::string> all = {own};
    for (std::size_t process = 1; process < peers_.size(); ++process) {
        const Peer& peer = peers_[process];
        while (!peer.report_bytes || peer.report.size() < *peer.report_bytes) {
            if (!poll([](PacketHeader, const std::byte*) {})) rest();
        }
        all.push_back(peer.report);
    }
    return all;
}

// Whether the peer's system, or over UDP its process, has all that was sent.
bool TcpEndpoint::has_arrived(const Peer& peer) const {
    return peer.out.pending().empty() && (!udp_ || udp_->all_acknowledged(peer.name.rank));
}

bool TcpEndpoint::say_farewell() {
    bool all = true;
    for (Peer& peer : peers_) {
        if (!peer.tcp || !peer.tcp->is_open()) continue;
        // Over another way than packets, it must not overtake them.
        const bool ready = !udp_ || has_arrived(peer);
        if (ready) tell(peer, words_to(peer), {Control::What::farewell}, peer.told_farewell);
        all = all && peer.told_farewell && words_to(peer).pending().empty() && peer.tcp->all_sent();
    }
    return all;
}

void TcpEndpoint::finish() {
    constexpr int patience_milliseconds = 10;
    for (;;) {
        const bool told = say_farewell();
        poll([](PacketHeader, const std::byte*) {});
        const bool heard =
            std::ranges::all_of(peers_, [](const Peer& peer) { return !peer.tcp || peer.said_farewell; });
        if (told && heard) return;
        await(told ? patience_milliseconds : 1);
    }
}

std::optional<DatagramCounters> TcpEndpoint::datagrams() const {
    if (!udp_) return std::nullopt;
    return udp_->counters();
}

}  // namespace narrows
