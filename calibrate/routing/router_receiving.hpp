#pragma once

// The part of Router that works off the packets that have come. Included by router.hpp.

#include "calibrate/routing/router.hpp"

namespace narrows {

template <class Sink>
inline Word* Router<Sink>::poll(const Ring& ring) const {
    if constexpr (TimedSink<Sink>) sink_.await_turn();
    return ring.poll();
}

template <class Sink>
inline void Router<Sink>::release(Ring& ring, [[maybe_unused]] int channel) {
    if constexpr (TimedSink<Sink>) sink_.await_turn();
    ring.release();
    if constexpr (CarryingSink<Sink>) sink_.released(channel);
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
    bool done = true;
    const int first = setup_.mailbox_plan().first_ring(channel);
    const int rings = setup_.mailbox_plan().rings(channel);
    for (Ring* ring = rings_ + first; done && ring != rings_ + first + rings; ++ring) {
        Word* packet = nullptr;
        while (done && (packet = poll(*ring)) != nullptr) {
            ring->prefetch_later();
            ++waiting;
            open(current, *ring, packet);
            done = work_off(channel, current);
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

template <class Sink>
void Router<Sink>::fetch_words() {
    const int last = plan_.dimension_count() - 1;
    if (limit_ > prefetch_ahead || setup_.channel_of(last) != last) return;
    const int first = setup_.mailbox_plan().first_ring(last);
    for (Ring* ring = rings_ + first; ring != rings_ + rings_count_; ++ring) {
        for (int later = 0; later < packets_ahead_; ++later) prefetch_packet(*ring, later);
    }
}

// What the words need of the packet that will be worked off after `later` others.
template <class Sink>
inline void Router<Sink>::prefetch_packet(const Ring& ring, int later) {
    const Word* words = ring.poll_later(later);
    if (words == nullptr) return;
    const int most = std::min(limit_, prefetch_ahead);
    for (int i = 0; i < most && words[i] != 0; ++i) sink_.prefetch(words[i]);
}

// Along the last dimension everything that comes is for this rank.
template <class Sink>
void Router<Sink>::apply_packet(Open& opened) {
    const Word* words = opened.packet;
    const int length = opened.length;
    if (length > prefetch_ahead) {
        apply_long(words, length);
    } else {
        prefetch_packet(*opened.ring, packets_ahead_);
        for (int i = 0; i < length; ++i) sink_.apply(words[i]);
    }
    held_ -= length;
}

template <class Sink>
int Router<Sink>::awaited_bucket() const {
    for (const Open& opened : open_) {
        if (opened.packet != nullptr) return plan_.next_bucket(opened.packet[opened.at], packed_, own_, 0);
    }
    return -1;
}

}  // namespace narrows
