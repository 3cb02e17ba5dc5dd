#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "calibrate/transport/frame_seal.hpp"
#include "calibrate/transport/reliable_stream.hpp"
#include "calibrate/transport/tcp_frames.hpp"
#include "calibrate/transport/tcp_socket.hpp"

namespace narrows {

/// A socket for datagrams at `address`, with as much room for what comes as the system gives; port 0 lets the system
/// choose. Throws TransportError.
Socket datagram_socket_at(const HostPort& address);

/// Where datagrams to a peer go, and what proves them.
struct UdpPeer {
    PeerName name;
    HostPort address;
    std::uint32_t session = 0;
    FrameSeals seals;
};

/// The streams of frames between this process and its peers over one socket for datagrams.
class UdpLinks {
  public:
    /// `peers[process]`; the one of this process has no address.
    UdpLinks(int process, Socket socket, std::vector<UdpPeer> peers);

    int descriptor() const { return socket_.descriptor(); }

    /// Takes as much of what is pending as there are credits for, and sends it. Whether any datagram went.
    bool send(int process, FrameWriter& out);
    /// Sends what is due by now: acknowledgements, and what was lost.
    void tend();

    /// Takes what has come: hands the bytes of process i to reader_of(i), and adds those processes to `from`. Throws
    /// TransportError for a datagram that is not authentic. What belongs to no peer of this job is left out.
    template <class ReaderOf>
    void receive(const ReaderOf& reader_of, std::vector<int>& from) {
        const ReliableStream::Time now = std::chrono::steady_clock::now();
        const std::size_t count = receive_datagrams();
        const std::uint64_t least = count > 0 ? least_window() : 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto datagram = proved(i);
            if (!datagram) continue;
            const auto process = static_cast<int>(datagram->header.from);
            const auto deliver = [&](std::span<const std::byte> bytes) {
                FrameReader& reader = reader_of(process);
                std::memcpy(reader.space().data(), bytes.data(), bytes.size());
                reader.received(bytes.size());
            };
            link(process).stream.allow_at_least(least);
            link(process).stream.receive(datagram->header, datagram->bytes, now, deliver);
            if (from.empty() || from.back() != process) from.push_back(process);
        }
    }

    /// Whether a peer has acknowledged all that was sent to it.
    bool all_acknowledged(int process) const {
        return links_[static_cast<std::size_t>(process)]->stream.all_acknowledged();
    }

    /// The longest of the peers' round trips, in seconds.
    double longest_round_trip() const;

    DatagramCounters counters() const;

  private:
    static constexpr std::size_t at_once = 32;
    // One more than may be sent, so that what is cut off shows.
    using Space = std::array<std::byte, most_datagram_bytes + 1>;

    struct Link {
        PeerName name;
        sockaddr_storage address{};
        socklen_t address_bytes = 0;
        std::uint32_t session = 0;
        FrameSeals seals;
        ReliableStream stream;
    };
    /// Datagrams for one call of the system.
    struct Batch {
        std::array<Space, at_once> spaces;
        std::array<iovec, at_once> pieces{};
        std::array<mmsghdr, at_once> messages{};
        std::size_t begin = 0;
        std::size_t end = 0;

        Batch();
    };

    Link& link(int process) { return *links_[static_cast<std::size_t>(process)]; }
    void put_out(Link& link, ReliableStream::Time now);
    void stage(Link& link, const ReliableStream::Datagram& datagram);
    bool transmit();
    std::uint64_t least_window() const;
    std::size_t receive_datagrams();
    std::optional<ReliableStream::Datagram> proved(std::size_t index) const;

    int process_;
    Socket socket_;
    std::vector<std::unique_ptr<Link>> links_;
    std::unique_ptr<Batch> out_;
    std::unique_ptr<Batch> in_;
};

}  // namespace narrows
