#pragma once

// The part of Router for a rank with a single peer, where packets are long and a branch for each word would cost more
// than all else. Included by router.hpp.

#include "calibrate/routing/router.hpp"

namespace narrows {

// A single peer is treated apart when what it sends is all for this rank, that is, along the last dimension.
template <class Sink>
void Router<Sink>::find_only_peer() {
    // It does several things at once, which have no order of time, and takes packets out of the inbox itself.
    if constexpr (CarryingSink<Sink>) return;
    if (plan_.peer_count() != 1 || !plan_.powers_of_two() || limit_ < 4 * static_cast<int>(line_words)) return;
    for (int index = 0; index < plan_.bucket_count(); ++index) {
        const int channel = setup_.channel_of(plan_.dimension_of_bucket(index));
        if (neighbour(index) == rank_ || channel + 1 != plan_.dimension_count()) continue;
        only_peer_ = index;
        peer_channel_ = channel;
    }
}

// Keeps what changes with every eight words in registers, until a bucket must be seen to. Forming is a matter of the
// processor and applying one of memory, so each batch also applies a few words of the packet that is open.
template <class Sink>
template <class Stream>
inline int Router<Sink>::split(Stream& stream, int most) {
    constexpr int line = line_words;
    Open& opened = open_[peer_channel_];
    make_room();
    Word* const others = bucket(only_peer_) + counts_[only_peer_];
    Word* const own = bucket(own_) + counts_[own_];
    const Word* const last_others = bucket(only_peer_) + limit_ - line;
    const Word* const last_own = bucket(own_) + limit_ - line;
    const int end = std::min<int>(most, static_cast<int>(most_held - held_));
    const Sink sink = sink_;
    const Word mask = plan_.owner_mask();
    const Word here = plan_.owner_bits(packed_);
    const int before = opened.at;
    Word* others_end = others;
    Word* own_end = own;
    Stream local = stream;
    int taken = 0;
    for (; taken + line <= end && others_end <= last_others && own_end <= last_own; taken += line) {
        split_lanes(local.lanes(), (local.lanes() & mask) ^ here, here, own_end, others_end,
                    [&sink](Word word) { sink.prefetch(word); });
        local.advance();
        apply_some(opened, sink);
    }
    stream = local;
    counts_[only_peer_] = static_cast<std::uint16_t>(counts_[only_peer_] + (others_end - others));
    counts_[own_] = static_cast<std::uint16_t>(counts_[own_] + (own_end - own));
    hold(taken);
    held_ -= opened.at - before;
    if (opened.packet != nullptr && opened.at == opened.length) finish_packet();
    if (own_end > last_own) advance_own();
    if (counts_[only_peer_] == limit_) filled(only_peer_);
    return taken;
}

// The next few words of the open packet, if there are any.
template <class Sink>
inline void Router<Sink>::apply_some(Open& opened, const Sink& sink) {
    if (opened.at + words_a_batch > opened.length) return;
    const Word* words = opened.packet + opened.at;
    if (opened.at + prefetch_ahead + words_a_batch <= opened.length) {
        for (int i = 0; i < words_a_batch; ++i) sink.prefetch(words[i + prefetch_ahead]);
    }
    for (int i = 0; i < words_a_batch; ++i) sink.apply(words[i]);
    opened.at += words_a_batch;
}

// New words may be formed while a packet is open only as long as the rank does not hold too many.
template <class Sink>
inline void Router<Sink>::make_room() {
    if (open_[peer_channel_].packet != nullptr && held_ + static_cast<int>(line_words) > most_held) finish_packet();
}

// Applies what is left of the open packet of the only peer.
template <class Sink>
void Router<Sink>::finish_packet() {
    Open& opened = open_[peer_channel_];
    const int left = opened.length - opened.at;
    if (left > 0) apply_long(opened.packet + opened.at, left);
    held_ -= left;
    opened = {};
}

// Takes packets of the only peer into the receive buffer, to be applied while new words are formed; all at once when
// none may be formed or the inbox is full.
template <class Sink>
bool Router<Sink>::receive_from_peer() {
    Open& opened = open_[peer_channel_];
    const bool at_once = blocked_ != 0 || finishing_;
    bool any = false;
    if (at_once && opened.packet != nullptr) {
        finish_packet();
        any = true;
    }
    const int first = setup_.mailbox_plan().first_ring(peer_channel_);
    const int rings = setup_.mailbox_plan().rings(peer_channel_);
    for (Ring* ring = rings_ + first; ring != rings_ + first + rings; ++ring) {
        while (Word* packet = ring->poll()) {
            if (opened.packet != nullptr) {
                if (!ring->has_one_slot() && ring->poll_later(1) == nullptr) return any;
                finish_packet();
            }
            take_in(opened, *ring, packet);
            if (at_once) finish_packet();
            any = true;
        }
    }
    return any;
}

// Copied at a stretch, a packet's lines come from the other core faster than one by one between other misses.
template <class Sink>
void Router<Sink>::take_in(Open& opened, Ring& ring, Word* packet) {
    open(opened, ring, packet);
    Word* const buffer = bucket(plan_.bucket_count());
    std::memcpy(buffer, packet, static_cast<std::size_t>(opened.length) * sizeof(Word));
    ring.release();
    opened.packet = buffer;
    for (int i = 0; i < std::min(prefetch_ahead, opened.length); ++i) sink_.prefetch(buffer[i]);
    worker_.counters.waiting_max = std::max<std::uint64_t>(worker_.counters.waiting_max, 1);
}

// The words' own lines come from another core's cache, so they are fetched ahead too.
template <class Sink>
void Router<Sink>::apply_long(const Word* words, int length) {
    constexpr int line = line_words;
    for (int i = 0; i < slot_ahead; i += line) __builtin_prefetch(words + i);
    for (int i = 0; i < std::min(prefetch_ahead, length); ++i) sink_.prefetch(words[i]);
    int i = 0;
    for (; i + prefetch_ahead + line <= length; i += line) {
        __builtin_prefetch(words + i + slot_ahead);
        for (int lane = 0; lane < line; ++lane) {
            sink_.prefetch(words[i + prefetch_ahead + lane]);
            sink_.apply(words[i + lane]);
        }
    }
    for (int j = i + prefetch_ahead; j < length; ++j) sink_.prefetch(words[j]);
    for (; i < length; ++i) sink_.apply(words[i]);
}

}  // namespace narrows
