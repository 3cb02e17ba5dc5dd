#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "calibrate/transport/reliable_stream.hpp"
#include "calibrate/transport/signs_of_life.hpp"
#include "calibrate/transport/tcp_connection.hpp"
#include "calibrate/transport/tcp_frames.hpp"
#include "calibrate/transport/tcp_mesh.hpp"

namespace narrows {

class UdpLinks;

/// A process's endpoint of a job over TCP, or over UDP: see packet.hpp. A process has one rank, unless `use` says
/// otherwise. Packets to the same peer are gathered until `flush`, `poll` or 16 KiB of them. A peer that closes its
/// connection without `finish`, is killed or stopped, or whose host or link fails is a TransportError within five
/// seconds in every process that polls, which all name the same peer. Over UDP packets travel in datagrams; signs of
/// life and the end of a process stay on the TCP connections.
class TcpEndpoint {
  public:
    static constexpr bool shares_memory = false;
    static constexpr bool joins_packets = true;
    static constexpr std::size_t default_send_buffer_bytes = std::size_t{256} << 10;

    /// `send_buffer_bytes`: for each peer, packets that TCP has not taken yet; `try_send` is false beyond it.
    explicit TcpEndpoint(TcpMesh mesh, std::size_t send_buffer_bytes = default_send_buffer_bytes);
    ~TcpEndpoint();
    TcpEndpoint(const TcpEndpoint&) = delete;
    TcpEndpoint& operator=(const TcpEndpoint&) = delete;

    bool try_send(PacketHeader header, const Payload& payload) {
        Peer& peer = peers_[static_cast<std::size_t>(process_of(header.to))];
        if (!peer.out.append(header, payload)) {
            send_pending(peer);
            if (!peer.out.append(header, payload)) return false;
        }
        if (peer.out.pending().size() >= eager_bytes) send_pending(peer);
        return true;
    }

    /// Whether the processes of this host outnumber the processors that they may use together.
    bool crowded() const { return crowded_; }

    template <class Handler>
    bool poll(Handler&& handle) {
        flush();
        bool any = take_own(handle);
        for (const int rank : readable()) {
            Peer& peer = peers_[static_cast<std::size_t>(rank)];
            if (!udp_) receive(peer, peer.in);
            FrameReader::Frame frame;
            while (peer.in.next(frame)) {
                any = true;
                if (frame.header.kind == control_kind) {
                    on_control(peer, frame);
                } else if (frame.header.kind == report_kind) {
                    on_report(peer, frame);
                } else {
                    handle(frame.header, frame.payload);
                }
            }
        }
        return any;
    }

    void flush() {
        for (Peer& peer : peers_) {
            if (peer.tcp && has_more(peer)) send_pending(peer);
        }
        if (udp_) tend();
    }

    int processes() const { return static_cast<int>(peers_.size()); }
    int process() const { return rank_; }
    int process_of(int rank) const { return layout_.threads() ? rank : layout_.worker_of(rank); }

    /// The ranks that processes have, in contiguous blocks; to be called by all of them before any packet is sent.
    void use(const RankLayout& layout);
    const RankLayout& layout() const { return layout_; }

    /// Sleeps until something comes, a millisecond at most.
    void rest();

    /// Whether every rank has done its work; the first call tells the others that this one has. To be called until it
    /// is true, with polls in between, by which a rank that is done still serves those that are not.
    bool all_done();

    /// What all processes say, on the first of them; see packet.hpp.
    std::vector<std::string> gather(const std::string& own);

    /// What was sent over UDP.
    std::optional<DatagramCounters> datagrams() const;

    /// The graceful end, to be called once by every process: sends what is left, says farewell and waits until all
    /// others have; what comes meanwhile is dropped, as nobody is there any more to handle it. Without it the others
    /// take this process for dead.
    void finish();

  private:
    static constexpr std::size_t eager_bytes = std::size_t{16} << 10;

    /// What goes over TCP where packets go over UDP.
    struct Words {
        FrameWriter out;
        FrameReader in;
    };
    struct Peer {
        std::unique_ptr<TcpConnection> tcp;  ///< none to this process itself
        PeerName name;
        FrameWriter out;
        FrameReader in;
        std::unique_ptr<Words> words;
        /// While this process looked, nothing came.
        double silent_seconds = 0;
        /// It has said something. Before, it may still wait for others to join, and nobody knows how long they take.
        bool has_started = false;
        void speaks() {
            silent_seconds = 0;
            has_started = true;
        }
        // What it reports, and how many bytes that will be.
        std::string report = {};
        std::optional<std::size_t> report_bytes = {};
        // What it was told and what it said.
        bool told_done = false;
        bool said_done = false;
        bool told_farewell = false;
        bool said_farewell = false;
        bool told_loss = false;
        /// Nothing more can be sent; what it sent before can still be read.
        bool unreachable = false;
    };

    template <class Handler>
    bool take_own(Handler&& handle) {
        const std::span<const std::byte> pending = peers_[static_cast<std::size_t>(rank_)].out.pending();
        if (pending.empty()) return false;
        // The handler may send to its own rank again.
        own_.assign(pending.begin(), pending.end());
        peers_[static_cast<std::size_t>(rank_)].out.consume(own_.size());
        for (std::size_t at = 0; at < own_.size();) {
            std::uint64_t word = 0;
            std::memcpy(&word, &own_[at], sizeof word);
            const PacketHeader header = PacketHeader::of(word);
            handle(header, static_cast<const std::byte*>(own_.data() + at + sizeof word));
            at += frame_bytes(header.bytes);
        }
        return true;
    }

    void watch(int descriptor, int rank);
    /// Whether some of what was sent to the peer is not with the system yet, as far as it goes by TCP.
    bool has_more(const Peer& peer) const { return !peer.out.pending().empty() || (!udp_ && !peer.tcp->all_sent()); }
    void send_pending(Peer& peer);
    void send_words(Peer& peer);
    void tend();
    void await(int milliseconds);
    std::span<const int> readable();
    std::span<const int> datagrams_come();
    void receive(Peer& peer, FrameReader& in);
    void receive_words(Peer& peer);
    void on_control(Peer& peer, const FrameReader::Frame& frame);
    static void on_report(Peer& peer, const FrameReader::Frame& frame);
    void report(const std::string& own);
    void on_end(Peer& peer, int error_number);
    double longest_round_trip() const;
    void check_silence();
    bool has_arrived(const Peer& peer) const;
    FrameWriter& words_to(Peer& peer) { return udp_ ? peer.words->out : peer.out; }
    void tell(Peer& peer, FrameWriter& out, const Control& control, bool& told);
    bool say_farewell();
    bool tell_loss(const PeerName& lost);
    // Every survivor is promised an error within five seconds. Of a process that dies all know at once, so that three
    // are left for telling: a busy machine may let a peer wait for its turn to read.
    static constexpr double patience_for_telling = 3;
    // Of a silence most of the five seconds have passed when it is known, and who was told has others beside it that
    // were told too.
    static constexpr double patience_for_telling_late = 0.5;
    [[noreturn]] void lose(const PeerName& lost, const std::string& how,
                           double patience_seconds = patience_for_telling);

    int rank_;
    RankLayout layout_;
    bool crowded_ = false;
    std::vector<Peer> peers_;
    std::vector<std::byte> own_;
    Socket events_;
    std::vector<int> readable_;
    unsigned polls_ = 0;
    Deadline last_check_;
    Deadline next_words_;
    std::unique_ptr<UdpLinks> udp_;
    std::jthread signs_of_life_;  // ends before the connections do
};

}  // namespace narrows
