#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "calibrate/routing/router_setup.hpp"
#include "calibrate/routing/split_lanes.hpp"
#include "calibrate/transport/receiver.hpp"

namespace narrows {

/// The sink of a router whose packets do not go straight into its peers' inboxes. It has, beside what every sink has:
///
///   try_send(to, dimension, words, count)       takes a packet to its receiver, false when there is no room for it
///   send_end(to, dimension)                     tells a peer that nothing more will come from this rank
///   released(dimension)                         the place of a packet in the inbox is free again
template <class Sink>
concept CarryingSink = requires(const Sink& sink) {
    sink.send_end(0, 0);
};

/// One whose time is virtual, too:
///
///   routed()            a word has been put into a bucket for another rank
///   await_turn()        what is due before this rank's time has happened
///   received()          a packet has been taken up
template <class Sink>
concept TimedSink = CarryingSink<Sink> && requires(const Sink& sink) {
    sink.await_turn();
};

/// One rank of the aggregating, dimension-ordered router of garg2006 (Figures 1 and 2, Sections 5.3 to 5.5).
///
/// A word goes into the bucket of its next hop; a full bucket goes as one packet into the inbox of that rank; a packet
/// is worked off where it lies, at the head of its dimension's inbox, which thereby is the dimension's receive buffer.
/// In each dimension at most one bucket is full, and while one is, nothing goes into that dimension's buckets. Words
/// for this rank itself wait in a small bucket of their own and then go to the sink:
///
///   sink.prefetch(word)   brings near what `apply` will need;
///   sink.apply(word)      does what the word is for.
///
/// Where ranks share no memory or time is virtual the sink also carries what is sent (`CarryingSink`, `TimedSink`).
template <class Sink>
class Router {
  public:
    Router(RouterSetup& setup, int rank, Sink sink);

    /// True when no bucket is full, so that new words may be routed.
    bool unblocked() const { return blocked_ == 0; }

    /// Routes the new words [first, end) until a bucket is full that cannot be sent. Returns the first lane not taken.
    int route(const Lanes& words, int first, int end);

    /// With a single peer every word goes to one of two places, without a branch: routes up to `most` of the words that
    /// `stream` forms, in whole lines of eight. May take none, when a bucket has little room: then `route` must go on.
    /// Only for `single_peer()`.
    template <class Stream>
    int split(Stream& stream, int most);
    bool single_peer() const { return only_peer_ >= 0; }

    /// Brings near what comes first when this rank runs again after others: the slots that its nearly full buckets go
    /// to and those of the packets that have come; then what the first of these packets' words need.
    void fetch_slots();
    void fetch_words();

    /// With buckets of one word every word takes a slot: `fetch_slots_of` brings near those of new words.
    bool sends_each_word() const { return limit_ == 1 && setup_.layout().workers > 1 && !CarryingSink<Sink>; }
    void fetch_slots_of(const Lanes& words);

    /// Tries to send the full buckets; true when one went.
    bool send_blocked();

    /// Works off packets that have come, along each dimension until there is none or a full bucket is in the way.
    /// True when anything moved.
    bool receive();

    /// Sends what is left in the buckets of `dimension` and says so to its peers. To be called for the dimensions in
    /// order, each once nothing more can come that would go along it. False until all has been sent.
    bool flush(int dimension);

    /// True when no peer will send anything more along `dimension`. Packets that are already in the inbox remain.
    bool peers_finished(int dimension) const {
        return setup_.finish_counts().finished(rank_, dimension) == dimensions()[dimension].size - 1;
    }
    /// True when the last `receive` left nothing on the channel of `dimension`.
    bool worked_off(int dimension) const { return !open_[setup_.channel_of(dimension)].packet; }

    Sink& sink() { return sink_; }
    /// Full buckets that cannot be sent.
    int blocked_count() const { return __builtin_popcount(blocked_); }

    /// A rank whose inbox has no room for one of them; only where there is one.
    int blocked_on() const { return neighbour(full_[__builtin_ctz(blocked_)]); }

    /// No more new words will come: packets sent from now on are not counted as sent full.
    void begin_finishing() { finishing_ = true; }
    /// Applies the own words that still wait.
    void apply_own();

    /// The bucket that the next word of a packet being worked off needs, or -1 when no packet is open.
    int awaited_bucket() const;
    /// The full bucket that cannot be sent along `dimension`, or -1.
    int blocked_bucket(int dimension) const { return full_[dimension]; }
    int dimension_count() const { return plan_.dimension_count(); }
    int neighbour(int bucket) const {
        const int d = plan_.dimension_of_bucket(bucket);
        return origin_[d] + bucket * dimensions()[d].stride;
    }

    /// Brings near what a rank touches first.
    static void prefetch(const RouterSetup& setup, int rank);

  private:
    /// Words between fetching what a word needs and applying it, and between fetching a packet's line and reading it.
    static constexpr int prefetch_ahead = 32;
    static constexpr int slot_ahead = 96;
    /// Packets between fetching what one's words need and applying them, of short ones.
    static constexpr int most_packets_ahead = 4;
    /// Words of an open packet applied with every eight that are formed: as many as come in.
    static constexpr int words_a_batch = 4;
    /// Larger buckets are sent seldom and fetch their slots in time by themselves.
    static constexpr int most_prefetched_bucket = 64;
    /// Of more buckets few are filled before the rank gives way.
    static constexpr int most_prefetched_buckets = 64;

    struct Open {
        Word* packet = nullptr;
        Ring* ring = nullptr;
        int at = 0;
        int length = 0;
    };

    const RouteDimension* dimensions() const { return plan_.dimensions().data(); }
    Word* bucket(int index) const { return buckets_ + static_cast<std::size_t>(index) * stride_; }
    void advance_own();
    int insert(const Word* words, const Lanes& chosen, int first, int count);
    int insert_past_blocked(const Word* words, const Lanes& chosen, int first, int count);
    bool store(Word word, int index);
    bool nearly_filled(int index, int count);
    bool filled(int index);
    void find_only_peer();
    bool send(int index, int words);
    bool carry(int index, int dimension, int words);
    Word* poll(const Ring& ring) const;
    void release(Ring& ring, int channel);
    bool receive_on(int channel);
    bool receive_from_peer();
    void apply_some(Open& opened, const Sink& sink);
    void make_room();
    void finish_packet();
    void take_in(Open& opened, Ring& ring, Word* packet);
    void open(Open& open, Ring& ring, Word* packet);
    bool work_off(int channel, Open& open);
    bool forward(int channel, Open& open);
    void apply_long(const Word* words, int length);
    void apply_packet(Open& open);
    void prefetch_packet(const Ring& ring, int later);
    void hold(int words) {
        held_ += words;
        worker_.counters.held_max = std::max(worker_.counters.held_max, held_);
    }

    RouterSetup& setup_;
    const RoutePlan& plan_;
    SendingWorker& worker_;
    Sink sink_;
    std::uint16_t* counts_;
    Ring* rings_;
    Word* buckets_;
    std::size_t stride_;
    Word packed_;
    std::int64_t held_ = 0;
    std::uint32_t blocked_ = 0;
    int rank_;
    int worker_index_;
    int own_;
    int limit_;
    int own_begin_;
    int packets_ahead_;
    int rings_count_ = 0;
    /// The bucket of the only peer, or -1 when there are none or several.
    int only_peer_ = -1;
    int peer_channel_ = 0;
    bool finishing_ = false;
    int flushed_ = 0;
    std::array<std::int16_t, most_dimensions> full_{};
    std::array<int, most_dimensions> origin_{};
    std::array<Open, most_dimensions> open_{};
};

template <class Sink>
Router<Sink>::Router(RouterSetup& setup, int rank, Sink sink)
    : setup_(setup),
      plan_(setup.plan()),
      worker_(setup.worker(setup.layout().worker_of(rank))),
      sink_(sink),
      counts_(reinterpret_cast<std::uint16_t*>(setup.block(rank) + setup.counts_offset())),
      rings_(reinterpret_cast<Ring*>(setup.block(rank) + setup.rings_offset())),
      buckets_(reinterpret_cast<Word*>(setup.block(rank) + setup.buckets_offset())),
      stride_(setup.bucket_stride()),
      packed_(setup.plan().packed(rank)),
      rank_(rank),
      worker_index_(setup.layout().worker_of(rank)),
      own_(setup.plan().own_bucket(rank)),
      limit_(setup.plan().bucket_words()),
      own_begin_(setup.plan().bucket_words() - setup.own_capacity()),
      packets_ahead_(std::clamp(prefetch_ahead / 2 / limit_, 1, most_packets_ahead)) {
    full_.fill(-1);
    for (int d = 0; d < plan_.dimension_count(); ++d) {
        const RouteDimension& dimension = dimensions()[d];
        origin_[d] = rank - (plan_.coordinate(rank, d) + dimension.first_bucket) * dimension.stride;
    }
    for (int index = 0; index < plan_.bucket_count(); ++index) counts_[index] = 0;
    // The own bucket is shorter than the others but is full at the same count, as it begins further on.
    counts_[own_] = static_cast<std::uint16_t>(own_begin_);
    find_only_peer();
    const MailboxPlan& mailboxes = setup.mailbox_plan();
    rings_count_ = mailboxes.first_ring(static_cast<int>(mailboxes.channels.size()));
    for (int channel = 0; channel < static_cast<int>(mailboxes.channels.size()); ++channel) {
        for (int ring = 0; ring < mailboxes.rings(channel); ++ring) {
            const bool own_thread = mailboxes.rings(channel) == 1 || ring == worker_index_;
            new (&rings_[mailboxes.first_ring(channel) + ring])
                Ring(setup.mailboxes().ring(rank, channel, ring),
                     mailboxes.channels[static_cast<std::size_t>(channel)].slots, mailboxes.slot_words(),
                     own_thread ? worker_.sender.waiting(rank, channel) : nullptr);
        }
    }
}

template <class Sink>
void Router<Sink>::prefetch(const RouterSetup& setup, int rank) {
    const std::byte* block = setup.block(rank);
    for (std::size_t byte = 0; byte < setup.buckets_offset(); byte += 64) __builtin_prefetch(block + byte, 1);
}

}  // namespace narrows

#include "calibrate/routing/router_receiving.hpp"
#include "calibrate/routing/router_sending.hpp"
#include "calibrate/routing/router_single_peer.hpp"
