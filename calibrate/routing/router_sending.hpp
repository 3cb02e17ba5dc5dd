#pragma once

// The part of Router that puts words into buckets and sends those that are full. Included by router.hpp.

#include "calibrate/routing/router.hpp"

namespace narrows {

template <class Sink>
bool Router<Sink>::send(int index, int words) {
    const int d = plan_.dimension_of_bucket(index);
    SendCounters& counters = worker_.counters;
    ++counters.attempts;
    if (!carry(index, d, words)) {
        ++counters.failures;
        return false;
    }
    if (!finishing_) {
        ++counters.full_buckets;
        counters.full_bucket_words += static_cast<std::uint64_t>(words);
    }
    ++counters.packets;
    counters.words_sent += static_cast<std::uint64_t>(words);
    counts_[index] = 0;
    held_ -= words;
    return true;
}

template <class Sink>
inline bool Router<Sink>::carry(int index, int dimension, int words) {
    if constexpr (CarryingSink<Sink>) {
        return sink_.try_send(neighbour(index), dimension, bucket(index), words);
    } else {
        return worker_.sender.try_send(neighbour(index), setup_.channel_of(dimension), bucket(index), words);
    }
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
inline void Router<Sink>::fetch_slots_of(const Lanes& words) {
    Lanes chosen;
    plan_.next_buckets(chosen, words, packed_, static_cast<Word>(own_), 0);
    for (std::size_t i = 0; i < line_words; ++i) nearly_filled(static_cast<int>(chosen[i]), limit_ - 1);
}

template <class Sink>
void Router<Sink>::fetch_slots() {
    if (limit_ > most_prefetched_bucket) return;
    for (Ring* ring = rings_; ring != rings_ + rings_count_; ++ring) ring->prefetch_first();
    if (sends_each_word() || plan_.bucket_count() > most_prefetched_buckets) return;
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
bool Router<Sink>::flush(int dimension) {
    const RouteDimension& d = dimensions()[dimension];
    const int end = d.first_bucket + d.size;
    if (flushed_ < d.first_bucket) flushed_ = d.first_bucket;
    for (; flushed_ < end; ++flushed_) {
        const int count = counts_[flushed_];
        if (flushed_ == own_ || count == 0) continue;
        Word* words = bucket(flushed_);
        std::fill(words + count, words + std::min(stride_, whole_lines(static_cast<std::size_t>(count))), Word{0});
        if (!send(flushed_, count)) return false;
        if (full_[dimension] == flushed_) {
            full_[dimension] = -1;
            blocked_ &= ~(1U << dimension);
        }
    }
    for (int index = d.first_bucket; index < end; ++index) {
        if (neighbour(index) == rank_) continue;
        if constexpr (CarryingSink<Sink>) {
            sink_.send_end(neighbour(index), dimension);
        } else {
            setup_.finish_counts().raise(worker_index_, neighbour(index), dimension);
        }
    }
    return true;
}

}  // namespace narrows
