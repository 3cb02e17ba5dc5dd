#include "calibrate/transport/udp_links.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace narrows {
namespace {

// A datagram's seal has another number than any of the records that go to the peer by TCP, with the same keys.
std::uint64_t seal_number(const DatagramHeader& header) {
    constexpr std::uint64_t datagrams = std::uint64_t{1} << 62;
    return datagrams + header.number;
}

}  // namespace

Socket datagram_socket_at(const HostPort& address) {
    const Addresses at = addresses_of(address, SOCK_DGRAM);
    Socket made(socket(at->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!made) throw TransportError::system("make a socket", errno);
    // A window from each of hundreds of peers; what the system does not allow is lost and sent again.
    constexpr int room = 8 << 20;
    if (setsockopt(made.descriptor(), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0) {
        setsockopt(made.descriptor(), SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    }
    if (bind(made.descriptor(), at->ai_addr, at->ai_addrlen) != 0) {
        throw TransportError::system("receive datagrams at " + address.text(), errno);
    }
    return made;
}

UdpLinks::Batch::Batch() {
    for (std::size_t i = 0; i < at_once; ++i) {
        pieces[i] = {spaces[i].data(), spaces[i].size()};
        messages[i].msg_hdr.msg_iov = &pieces[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
}

UdpLinks::UdpLinks(int process, Socket socket, std::vector<UdpPeer> peers)
    : process_(process), socket_(std::move(socket)), out_(std::make_unique<Batch>()), in_(std::make_unique<Batch>()) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
        auto link = std::make_unique<Link>();
        link->name = peers[i].name;
        link->session = peers[i].session;
        link->seals = peers[i].seals;
        if (static_cast<int>(i) != process) {
            const Addresses at = addresses_of(peers[i].address, SOCK_DGRAM);
            std::memcpy(&link->address, at->ai_addr, at->ai_addrlen);
            link->address_bytes = at->ai_addrlen;
        }
        links_.push_back(std::move(link));
    }
}

bool UdpLinks::send(int process, FrameWriter& out) {
    Link& to = link(process);
    const std::uint64_t before = to.stream.counters().sent;
    while (to.stream.has_credit() && to.stream.is_worth_sending(out.pending().size())) {
        const auto bytes = out.pending().first(std::min(out.pending().size(), most_datagram_payload));
        to.stream.push(bytes);
        out.consume(bytes.size());
    }
    put_out(to, std::chrono::steady_clock::now());
    transmit();
    return to.stream.counters().sent != before;
}

void UdpLinks::tend() {
    const ReliableStream::Time now = std::chrono::steady_clock::now();
    for (const auto& one : links_) put_out(*one, now);
    transmit();
}

void UdpLinks::put_out(Link& link, ReliableStream::Time now) {
    for (;;) {
        if (out_->end == at_once && !transmit()) return;
        const auto datagram = link.stream.next(now);
        if (!datagram) return;
        stage(link, *datagram);
    }
}

void UdpLinks::stage(Link& link, const ReliableStream::Datagram& datagram) {
    const std::size_t at = out_->end++;
    std::byte* const space = out_->spaces[at].data();
    DatagramHeader header = datagram.header;
    header.session = link.session;
    header.from = static_cast<std::uint32_t>(process_);
    std::memcpy(space, &header, sizeof header);
    if (!datagram.bytes.empty()) std::memcpy(space + sizeof header, datagram.bytes.data(), datagram.bytes.size());
    std::size_t bytes = sizeof header + datagram.bytes.size();
    if (link.seals.out) {
        link.seals.out->seal(seal_number(header), {space, bytes}, space + bytes);
        bytes += datagram_tag_bytes;
    }
    out_->pieces[at].iov_len = bytes;
    out_->messages[at].msg_hdr.msg_name = &link.address;
    out_->messages[at].msg_hdr.msg_namelen = link.address_bytes;
}

// False when the system takes no more now.
bool UdpLinks::transmit() {
    while (out_->begin != out_->end) {
        const int sent = sendmmsg(socket_.descriptor(), &out_->messages[out_->begin],
                                  static_cast<unsigned>(out_->end - out_->begin), MSG_NOSIGNAL);
        if (sent > 0) {
            out_->begin += static_cast<std::size_t>(sent);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) {
            return false;
        } else if (errno != EINTR) {
            // There is no way to this peer now: as if the datagram was lost. That it is silent is seen elsewhere.
            ++out_->begin;
        }
    }
    out_->begin = out_->end = 0;
    return true;
}

// A process has as many datagrams under way in all, whether to few or to fifteen peers: as long are the queues.
std::uint64_t UdpLinks::least_window() const {
    constexpr std::uint64_t of_process = 15 * ReliableStream::least_window;
    const auto busy = std::ranges::count_if(links_, [](const auto& link) { return !link->stream.all_acknowledged(); });
    return of_process / static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(1, busy));
}

std::size_t UdpLinks::receive_datagrams() {
    const int count = recvmmsg(socket_.descriptor(), in_->messages.data(), at_once, MSG_DONTWAIT, nullptr);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

// The datagram if it is one of this job's.
std::optional<ReliableStream::Datagram> UdpLinks::proved(std::size_t index) const {
    const std::byte* const space = in_->spaces[index].data();
    const std::size_t bytes = in_->messages[index].msg_len;
    DatagramHeader header;
    if (bytes < sizeof header || bytes > most_datagram_bytes) return std::nullopt;
    std::memcpy(&header, space, sizeof header);
    if (header.from >= links_.size() || static_cast<int>(header.from) == process_) return std::nullopt;
    const Link& from = *links_[header.from];
    if (header.session != from.session) return std::nullopt;
    if (!from.seals.in) return ReliableStream::Datagram{header, {space + sizeof header, bytes - sizeof header}};
    const std::size_t tag_bytes = datagram_tag_bytes;
    if (bytes < sizeof header + tag_bytes ||
        !from.seals.in->proves(space + bytes - tag_bytes, seal_number(header), {space, bytes - tag_bytes})) {
        throw TransportError::not_authentic(from.name);
    }
    return ReliableStream::Datagram{header, {space + sizeof header, bytes - tag_bytes - sizeof header}};
}

double UdpLinks::longest_round_trip() const {
    ReliableStream::Duration longest{};
    for (const auto& link : links_) longest = std::max(longest, link->stream.round_trip());
    return std::chrono::duration<double>(longest).count();
}

DatagramCounters UdpLinks::counters() const {
    DatagramCounters all;
    for (const auto& link : links_) all.add(link->stream.counters());
    return all;
}

}  // namespace narrows
