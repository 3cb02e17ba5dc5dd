#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "calibrate/routing/router_setup.hpp"
#include "calibrate/routing/split_lanes.hpp"
#include "calibrate/transport/receiver.hpp"

namespace narrows {

/// The sink of a router whose time is virtual. It has, beside what every sink has:
///
///   routed()                                    a word has been put into a bucket for another rank
///   try_send(to, dimension, words, count)       takes a packet to its receiver, false when there is no room for it
///   send_end(to, dimension)                     tells a peer that nothing more will come from this rank
///   await_turn()                                what is due before this rank's time has happened
///   received()                                  a packet has been taken up
///   released(dimension)                         its place in the inbox is free again
template <class Sink>
concept TimedSink = requires(const Sink& sink) {
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
/// Where time is virtual the sink also carries what is sent, and is told what costs time (`TimedSink`).
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

    /// Fetches what comes first when this rank runs again after others: the slots that its nearly full buckets go to
    /// and the packets that have come.
    void wake_up();

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
    /// Words of an open packet applied with every eight that are formed: as many as come in.
    static constexpr int words_a_batch = 4;
    /// Larger buckets are sent seldom and fetch their slots in time by themselves.
    static constexpr int most_prefetched_bucket = 64;

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
    void hold(int words) {
        held_ += words;
        worker_.counters.held_max = std::max(worker_.counters.held_max, held_);
    }

    RouterSetup& setup_;
    const RoutePlan& plan_;
    RouterWorker& worker_;
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
      stride_(setup.mailbox_plan().slot_words()),
      packed_(setup.plan().packed(rank)),
      rank_(rank),
      worker_index_(setup.layout().worker_of(rank)),
      own_(setup.plan().own_bucket(rank)),
      limit_(setup.plan().bucket_words()),
      own_begin_(setup.plan().bucket_words() - setup.own_capacity()) {
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
                     mailboxes.channels[static_cast<std::size_t>(channel)].slots, stride_,
                     own_thread ? worker_.sender.waiting(rank, channel) : nullptr);
        }
    }
}

template <class Sink>
bool Router<Sink>::send(int index, int words) {
    const int d = plan_.dimension_of_bucket(index);
    RouteCounters& counters = worker_.counters;
    ++counters.attempts;
    if (!carry(index, d, words)) {
        ++counters.failures;
        return false;
    }
    if (!finishing_) {
        ++counters.full_packets;
        counters.full_packet_words += static_cast<std::uint64_t>(words);
    }
    ++counters.packets;
    counters.words_sent += static_cast<std::uint64_t>(words);
    counts_[index] = 0;
    held_ -= words;
    return true;
}

template <class Sink>
inline bool Router<Sink>::carry(int index, int dimension, int words) {
    if constexpr (TimedSink<Sink>) {
        return sink_.try_send(neighbour(index), dimension, bucket(index), words);
    } else {
        return worker_.sender.try_send(neighbour(index), setup_.channel_of(dimension), bucket(index), words);
    }
}

template <class Sink>
inline Word* Router<Sink>::poll(const Ring& ring) const {
    if constexpr (TimedSink<Sink>) sink_.await_turn();
    return ring.poll();
}

template <class Sink>
inline void Router<Sink>::release(Ring& ring, [[maybe_unused]] int channel) {
    if constexpr (TimedSink<Sink>) sink_.await_turn();
    ring.release();
    if constexpr (TimedSink<Sink>) sink_.released(channel);
}

// A bucket has just become full: the own one is applied, any other is sent. False when it cannot be.
template <class Sink>
bool Router<Sink>::filled(int index) {
    if (index == own_) {
        advance_own();
        return true;
    }
    if (send(index, limit_)) return true;
    const int d = plan_.dimension_of_bucket(index);
    full_[d] = static_cast<std::int16_t>(index);
    blocked_ |= 1U << d;
    return false;
}

// Applies the older own words, which have been prefetched, prefetches the next ones and moves them up.
template <class Sink>
void Router<Sink>::advance_own() {
    Word* words = bucket(own_) + own_begin_;
    const int count = counts_[own_] - own_begin_;
    const int batch = setup_.own_batch();
    const Sink sink = sink_;
    if (!single_peer()) {
        for (int i = 0; i < batch; ++i) sink.prefetch(words[i + batch]);
    }
    for (int i = 0; i < batch; ++i) sink.apply(words[i]);
    std::memmove(words, words + batch, static_cast<std::size_t>(count - batch) * sizeof(Word));
    counts_[own_] = static_cast<std::uint16_t>(counts_[own_] - batch);
    held_ -= batch;
}

template <class Sink>
void Router<Sink>::apply_own() {
    const Word* words = bucket(own_);
    const int end = counts_[own_];
    for (int i = own_begin_; i < end; ++i) sink_.prefetch(words[i]);
    for (int i = own_begin_; i < end; ++i) sink_.apply(words[i]);
    counts_[own_] = static_cast<std::uint16_t>(own_begin_);
    held_ -= end - own_begin_;
}

// A bucket that lacks one word will be sent soon: its slot, which is far away, is fetched meanwhile.
template <class Sink>
bool Router<Sink>::nearly_filled(int index, int count) {
    if (count == limit_) return filled(index);
    if (index != own_) worker_.sender.prefetch(neighbour(index), setup_.channel_of(plan_.dimension_of_bucket(index)));
    return true;
}

// False when the bucket is now full and cannot be sent.
template <class Sink>
inline bool Router<Sink>::store(Word word, int index) {
    const int count = counts_[index];
    bucket(index)[count] = word;
    counts_[index] = static_cast<std::uint16_t>(count + 1);
    if constexpr (TimedSink<Sink>) {
        if (index != own_) sink_.routed();
    }
    if (count + 2 < limit_) return true;
    return nearly_filled(index, count + 1);
}

// Puts words [first, count) into their buckets and returns the first that had to stay.
template <class Sink>
inline int Router<Sink>::insert(const Word* words, const Lanes& chosen, int first, int count) {
    if (blocked_ != 0) return insert_past_blocked(words, chosen, first, count);
    for (int i = first; i < count; ++i) {
        if (!store(words[i], static_cast<int>(chosen[i]))) return insert_past_blocked(words, chosen, i + 1, count);
    }
    return count;
}

template <class Sink>
int Router<Sink>::insert_past_blocked(const Word* words, const Lanes& chosen, int first, int count) {
    for (int i = first; i < count; ++i) {
        const int index = static_cast<int>(chosen[i]);
        if (index != own_ && ((blocked_ >> plan_.dimension_of_bucket(index)) & 1) != 0) return i;
        store(words[i], index);
    }
    return count;
}

template <class Sink>
inline int Router<Sink>::route(const Lanes& words, int first, int end) {
    if (single_peer()) make_room();
    Lanes chosen;
    plan_.next_buckets(chosen, words, packed_, static_cast<Word>(own_), 0);
    alignas(64) std::array<Word, line_words> copy;
    std::memcpy(copy.data(), &words, sizeof words);
    // A word counts as held from when it is in a bucket; the full buckets sent meanwhile have been taken off.
    const std::int64_t before = held_;
    held_ += end - first;
    const int taken = insert(copy.data(), chosen, first, end);
    held_ -= end - taken;
    worker_.counters.held_max = std::max(worker_.counters.held_max, std::max(before, held_));
    return taken;
}

template <class Sink>
void Router<Sink>::wake_up() {
    if (limit_ > most_prefetched_bucket) return;
    for (Ring* ring = rings_; ring != rings_ + rings_count_; ++ring) ring->prefetch_first();
    for (int index = 0; index < plan_.bucket_count(); ++index) {
        if (counts_[index] + 1 == limit_) nearly_filled(index, counts_[index]);
    }
}

template <class Sink>
bool Router<Sink>::send_blocked() {
    if (blocked_ == 0) return false;
    bool any = false;
    for (int d = 0; d < plan_.dimension_count(); ++d) {
        if (full_[d] < 0 || !send(full_[d], limit_)) continue;
        full_[d] = -1;
        blocked_ &= ~(1U << d);
        any = true;
    }
    return any;
}

template <class Sink>
bool Router<Sink>::receive() {
    if (single_peer()) return receive_from_peer();
    bool any = false;
    for (int channel = 0; channel < static_cast<int>(setup_.mailbox_plan().channels.size()); ++channel) {
        any = receive_on(channel) || any;
    }
    return any;
}

template <class Sink>
bool Router<Sink>::receive_on(int channel) {
    Open& current = open_[channel];
    bool any = false;
    if (current.packet != nullptr) {
        const int before = current.at;
        const bool done = work_off(channel, current);
        any = done || current.at != before;
        if (!done) return any;
    }
    std::uint64_t waiting = 0;
    const int first = setup_.mailbox_plan().first_ring(channel);
    const int rings = setup_.mailbox_plan().rings(channel);
    for (Ring* ring = rings_ + first; ring != rings_ + first + rings; ++ring) {
        while (Word* packet = poll(*ring)) {
            ring->prefetch_later();
            ++waiting;
            open(current, *ring, packet);
            if (!work_off(channel, current)) return true;
        }
    }
    worker_.counters.waiting_max = std::max(worker_.counters.waiting_max, waiting);
    return any || waiting != 0;
}

template <class Sink>
void Router<Sink>::open(Open& opened, Ring& ring, Word* packet) {
    opened = {packet, &ring, 0, packet_length(packet, limit_)};
    // Without its own waiting words a rank never holds too many: the capacity of the buckets sees to that.
    if (held_ + opened.length > most_held) apply_own();
    hold(opened.length);
    if constexpr (TimedSink<Sink>) sink_.received();
}

// True when the packet has been worked off to its end and its slot given back.
template <class Sink>
bool Router<Sink>::work_off(int channel, Open& opened) {
    const bool last = channel + 1 == plan_.dimension_count();
    if (last) {
        apply_packet(opened);
    } else if (!forward(channel, opened)) {
        return false;
    }
    release(*opened.ring, channel);
    opened.packet = nullptr;
    return true;
}

template <class Sink>
bool Router<Sink>::forward(int channel, Open& opened) {
    // What came along a dimension needs only later ones; a shared inbox does not say which one it was.
    const int from = setup_.mailbox_plan().channels.size() == 1 ? 0 : channel + 1;
    while (opened.at < opened.length) {
        constexpr int line = line_words;
        const int begin = opened.at / line * line;
        const Word* line_of_packet = opened.packet + begin;
        Lanes words;
        Lanes chosen;
        std::memcpy(&words, line_of_packet, sizeof words);
        plan_.next_buckets(chosen, words, packed_, static_cast<Word>(own_), from);
        const int count = std::min(line, opened.length - begin);
        const int taken = insert(line_of_packet, chosen, opened.at - begin, count);
        opened.at = begin + taken;
        if (taken < count) return false;
    }
    return true;
}

// Along the last dimension everything that comes is for this rank.
template <class Sink>
void Router<Sink>::apply_packet(Open& opened) {
    const Word* words = opened.packet;
    const int length = opened.length;
    if (length > prefetch_ahead) {
        apply_long(words, length);
    } else {
        if (const Word* next = opened.ring->poll_next()) {
            for (int i = 0; i < length; ++i) sink_.prefetch(next[i]);
        }
        for (int i = 0; i < length; ++i) sink_.apply(words[i]);
    }
    held_ -= length;
}

template <class Sink>
bool Router<Sink>::flush(int dimension) {
    const RouteDimension& d = dimensions()[dimension];
    const int end = d.first_bucket + d.size;
    if (flushed_ < d.first_bucket) flushed_ = d.first_bucket;
    for (; flushed_ < end; ++flushed_) {
        const int count = counts_[flushed_];
        if (flushed_ == own_ || count == 0) continue;
        Word* words = bucket(flushed_);
        std::fill(words + count, words + whole_lines(static_cast<std::size_t>(count)), Word{0});
        if (!send(flushed_, count)) return false;
        if (full_[dimension] == flushed_) {
            full_[dimension] = -1;
            blocked_ &= ~(1U << dimension);
        }
    }
    for (int index = d.first_bucket; index < end; ++index) {
        if (neighbour(index) == rank_) continue;
        if constexpr (TimedSink<Sink>) {
            sink_.send_end(neighbour(index), dimension);
        } else {
            setup_.finish_counts().raise(worker_index_, neighbour(index), dimension);
        }
    }
    return true;
}

template <class Sink>
int Router<Sink>::awaited_bucket() const {
    for (const Open& opened : open_) {
        if (opened.packet != nullptr) return plan_.next_bucket(opened.packet[opened.at], packed_, own_, 0);
    }
    return -1;
}

template <class Sink>
void Router<Sink>::prefetch(const RouterSetup& setup, int rank) {
    const std::byte* block = setup.block(rank);
    for (std::size_t byte = 0; byte < setup.buckets_offset(); byte += 64) __builtin_prefetch(block + byte, 1);
}

}  // namespace narrows

#include "calibrate/routing/router_single_peer.hpp"
