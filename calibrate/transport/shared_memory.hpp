#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "calibrate/ranks/mapping.hpp"
#include "calibrate/ranks/processor.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/transport/packet_ring.hpp"

namespace narrows {

/// The rings of all pairs of worker threads in one mapping: a process is a worker, its ranks share its rings, so that
/// memory does not grow with the ranks.
class SharedRings {
  public:
    /// 32 MiB for all rings together, each between 64 KiB and 1 MiB.
    explicit SharedRings(const RankLayout& layout);

    /// Of the rings between so many workers.
    static std::size_t bytes(int workers);

    const RankLayout& layout() const { return layout_; }
    std::size_t ring_bytes() const { return ring_bytes_; }
    std::byte* ring(int from, int to) const { return memory_.data() + index(from, to) * ring_bytes_; }
    RingProgress& progress(int from, int to) const { return progress_[index(from, to)]; }

  private:
    std::size_t index(int from, int to) const {
        return static_cast<std::size_t>(to) * static_cast<std::size_t>(layout_.workers) +
               static_cast<std::size_t>(from);
    }

    RankLayout layout_;
    std::size_t ring_bytes_;
    Mapping memory_;
    std::unique_ptr<RingProgress[]> progress_;
};

/// A worker's endpoint of the rings: see packet.hpp. Used by that worker's thread alone.
class SharedEndpoint {
  public:
    static constexpr bool shares_memory = true;

    SharedEndpoint(const SharedRings& rings, int worker);

    [[gnu::always_inline]] bool try_send(PacketHeader header, const Payload& payload) {
        Peer& peer = peers_[static_cast<std::size_t>(process_of(header.to))];
        if (peer.rest != 0) peer.rest = 0;
        return peer.writer.try_write(header, payload);
    }
    /// The same for what is no answer, such as an acknowledgement in a stream: the reader rests as before.
    bool try_tell(PacketHeader header, const Payload& payload) {
        return peers_[static_cast<std::size_t>(process_of(header.to))].writer.try_write(header, payload);
    }
    template <class Handler>
    bool poll(Handler&& handle) {
        bool any = false;
        for (Peer& peer : peers_) any = receive(peer, handle) || any;
        return any;
    }
    void flush() {}

    int processes() const { return layout_.workers; }
    int process() const { return worker_; }
    int process_of(int rank) const { return layout_.threads() ? rank : layout_.worker_of(rank); }

  private:
    static constexpr int packets_a_poll = 64;
    // Pauses of the processor, of some 50 ns each: while packets come a few at a time, and in a stream, which ends them
    // at once by telling of more.
    static constexpr int most_rest = 8;
    static constexpr int packets_of_stream = 8;  // at once
    static constexpr int most_rest_in_stream = 64;

    /// Both rings to and from another process.
    struct alignas(64) Peer {
        RingWriter writer;
        RingReader reader;
        int rest = 0;
    };

    // A reader that keeps up with its writer takes each cache line away before it is full. While packets come one way,
    // a few at a time, it rests longer and longer before it looks, unless the writer tells of many; whoever answers
    // does not rest.
    template <class Handler>
    bool receive(Peer& peer, Handler& handle) {
        for (int i = 0; i < peer.rest && !peer.reader.is_behind(); ++i) spin_pause();
        const bool behind = peer.reader.is_behind();
        const int count = peer.reader.read(packets_a_poll, handle);
        if (count == 0 || !layout_.threads()) {
            peer.rest = 0;
        } else if (count < packets_a_poll) {
            const bool stream = behind || count >= packets_of_stream;
            peer.rest = std::min(2 * peer.rest + 1, stream ? most_rest_in_stream : most_rest);
        }
        return count != 0;
    }

    RankLayout layout_;
    int worker_;
    std::vector<Peer> peers_;
};

}  // namespace narrows
