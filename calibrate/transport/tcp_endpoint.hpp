#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "calibrate/transport/tcp_frames.hpp"
#include "calibrate/transport/tcp_mesh.hpp"

namespace narrows {

/// A process's endpoint of a job over TCP, one rank a process: see packet.hpp. Packets to the same peer are gathered
/// until `flush`, `poll` or 16 KiB of them. A peer that closes its connection without `finish`, is killed, or whose
/// host fails is a TransportError at the next `poll` of every process, which all name the same peer.
class TcpEndpoint {
  public:
    static constexpr bool shares_memory = false;
    static constexpr std::size_t default_send_buffer_bytes = std::size_t{256} << 10;

    /// `send_buffer_bytes`: for each peer, packets that TCP has not taken yet; `try_send` is false beyond it.
    explicit TcpEndpoint(TcpMesh mesh, std::size_t send_buffer_bytes = default_send_buffer_bytes);
    ~TcpEndpoint();
    TcpEndpoint(const TcpEndpoint&) = delete;
    TcpEndpoint& operator=(const TcpEndpoint&) = delete;

    bool try_send(PacketHeader header, const Payload& payload) {
        Peer& peer = peers_[static_cast<std::size_t>(header.to)];
        if (!peer.out.append(header, payload)) {
            send_pending(peer);
            if (!peer.out.append(header, payload)) return false;
        }
        if (peer.out.pending().size() >= eager_bytes) send_pending(peer);
        return true;
    }

    template <class Handler>
    bool poll(Handler&& handle) {
        flush();
        bool any = take_own(handle);
        for (const int rank : readable()) {
            Peer& peer = peers_[static_cast<std::size_t>(rank)];
            receive(peer);
            FrameReader::Frame frame;
            while (peer.in.next(frame)) {
                any = true;
                if (frame.header.kind != control_kind) {
                    handle(frame.header, frame.payload);
                } else {
                    on_control(peer, frame);
                }
            }
        }
        return any;
    }

    void flush() {
        for (Peer& peer : peers_) {
            if (peer.socket && !peer.out.pending().empty()) send_pending(peer);
        }
    }

    int processes() const { return static_cast<int>(peers_.size()); }
    int process() const { return rank_; }
    int process_of(int rank) const { return rank; }

    /// Sleeps until something comes, a millisecond at most.
    void rest();

    /// Whether every rank has done its work; the first call tells the others that this one has. To be called until it
    /// is true, with polls in between, by which a rank that is done still serves those that are not.
    bool all_done();

    /// The graceful end, to be called once by every process: sends what is left, says farewell and waits until all
    /// others have; what comes meanwhile is dropped, as nobody is there any more to handle it. Without it the others
    /// take this process for dead.
    void finish();

  private:
    static constexpr std::size_t eager_bytes = std::size_t{16} << 10;

    struct Peer {
        Socket socket;
        PeerName name;
        FrameWriter out;
        FrameReader in;
        bool remote = false;
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

    void send_pending(Peer& peer);
    std::span<const int> readable(int wait_milliseconds = 0);
    void receive(Peer& peer);
    void on_control(Peer& peer, const FrameReader::Frame& frame);
    void on_end(Peer& peer, int error_number);
    void check_hosts();
    bool has_pending() const;
    void tell(Peer& peer, const Control& control, bool& told);
    bool say_farewell();
    bool tell_loss(const PeerName& lost);
    // Every survivor is promised an error within five seconds. Of a process that dies all know at once, so that three
    // are left for telling: a busy machine may let a peer wait for its turn to read.
    static constexpr double patience_for_telling = 3;
    [[noreturn]] void lose(const PeerName& lost, const std::string& how,
                           double patience_seconds = patience_for_telling);

    int rank_;
    std::vector<Peer> peers_;
    std::vector<std::byte> own_;
    Socket events_;
    std::vector<int> readable_;
    unsigned polls_ = 0;
    Deadline next_check_;
};

}  // namespace narrows
