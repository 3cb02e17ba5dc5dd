#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "calibrate/kernels/gups/largest_bucket.hpp"
#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/transport/receiver.hpp"
#include "calibrate/transport/sender.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

inline constexpr int most_lines_an_inbox = 192;

/// Room for nearly every bucket that is sent; a larger one goes as several packets. The largest of N buckets with 1024
/// updates holds about 2 * 1024 / N.
inline int bucketed_packet_words(int ranks) {
    const double mean = static_cast<double>(most_held) / ranks;
    const double room = 3 * mean + 4 * std::sqrt(mean) + 4;
    return static_cast<int>(whole_lines(static_cast<std::size_t>(std::min<double>(most_held, room))));
}

/// Mean updates of the buckets that are sent: all of a rank's, from the empty one to the largest, lie evenly between.
inline int usual_bucket_words(int ranks) {
    return std::min(most_held, 1 + 2 * most_held / (ranks + 1));
}

inline MailboxPlan bucketed_mailboxes(const GupsOptions& options) {
    Channel channel;
    channel.peers = options.ranks - 1;
    channel.producers = std::max(1, std::min(options.workers, channel.peers));
    MailboxPlan plan{{options.ranks, options.workers}, {}, bucketed_packet_words(options.ranks)};
    channel.slots = ring_slots(channel, options.in_transit, plan.packet_words, most_lines_an_inbox);
    plan.channels.push_back(channel);
    return plan;
}

/// One rank of the bucketed variant.
struct BucketedRank {
    BucketedRank(void* memory, int ranks) : buckets(memory, ranks) {}
    LargestBucket buckets;
    std::vector<Ring> inbox;
    /// The bucket that is being sent, or -1.
    int leaving = -1;
    /// In the last quarter of its updates the rank is taken to be in its steady state: the first thousand updates fill
    /// larger buckets than any later ones do.
    bool steady = false;
};

/// The ranks of the bucketed variant: garg2006, Section 5.1. `Carrier` takes packets to ranks that share no memory
/// (`UpdateCarrier`); void where all do.
template <class Carrier>
class BucketedRanks : public TableRanks {
    static constexpr bool carries = !std::is_void_v<Carrier>;

  public:
    explicit BucketedRanks(const GupsOptions& options, Carrier* carrier = nullptr)
        : TableRanks(options),
          carrier_(carrier),
          layout_{options.ranks, options.workers},
          finished_({1, options.workers}, 1),
          ranks_(static_cast<std::size_t>(options.ranks)) {
        const MailboxPlan plan = bucketed_mailboxes(options);
        bucket_bytes_ = LargestBucket::memory(options.ranks);
        stride_words_ = (bucket_bytes_ / sizeof(Word) + plan.inbox_words()) | line_words;
        memory_ = Mapping(stride_words_ * sizeof(Word) * ranks_.size(), options.pages);
        mailboxes_ =
            std::make_unique<Mailboxes>(plan, reinterpret_cast<Word*>(memory_.data() + bucket_bytes_), stride_words_);
        for (int worker = 0; worker < options.workers; ++worker) {
            workers_.push_back(std::make_unique<SendingWorker>(*mailboxes_, worker));
        }
    }

    void set_up(int worker) { set_up(worker, layout_.first_rank(worker), layout_.first_rank(worker + 1)); }
    /// Of the ranks [first, last), where others are elsewhere.
    void set_up(int worker, int first, int last) {
        const MailboxPlan& plan = mailboxes_->plan();
        fill(first, last);
        touch_pages(memory_of(first), memory_of(last));
        for (int rank = first; rank < last; ++rank) {
            auto own = std::make_unique<BucketedRank>(memory_of(rank), options_.ranks);
            for (int ring = 0; ring < plan.rings(0); ++ring) {
                const bool own_thread = plan.rings(0) == 1 || ring == worker;
                own->inbox.emplace_back(mailboxes_->ring(rank, 0, ring), plan.channels.front().slots, plan.slot_words(),
                                        own_thread ? worker_of(rank).sender.waiting(rank, 0) : nullptr);
            }
            ranks_[static_cast<std::size_t>(rank)] = std::move(own);
        }
    }
    void prefetch(int rank) const { __builtin_prefetch(ranks_[static_cast<std::size_t>(rank)].get()); }

    static constexpr bool idle_ranks_rest = true;

    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        if (form_updates(rank, waiter)) finish(rank, waiter);
    }

    /// A rank will send nothing more.
    void finish_one(int worker) { finished_.raise(worker, 0, 0); }

    const MailboxPlan& mailbox_plan_used() const { return mailboxes_->plan(); }
    const std::vector<std::unique_ptr<SendingWorker>>& workers() const { return workers_; }

  private:
    // Updates that a rank forms before another one runs.
    static constexpr std::uint64_t stint = 64;

    SendingWorker& worker_of(int rank) const { return *workers_[static_cast<std::size_t>(layout_.worker_of(rank))]; }
    SendCounters& counters_of(int rank) const { return worker_of(rank).counters; }

    template <class Waiter>
    bool form_updates(int rank, Waiter& waiter) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        const UpdateShare share = stream_share(options_, rank);
        Word update = stream_start(share.first);
        std::uint64_t left = share.count();
        while (left > 0) {
            bool progressed = receive(rank);
            own.steady = left <= share.count() / 4;
            const std::uint64_t before = left;
            const int held = own.buckets.pending();
            for (std::uint64_t i = 0; i < stint && left > 0; ++i, --left) {
                if (own.buckets.full() && !make_room(rank)) break;
                update = next_update(update);
                own.buckets.insert(ownership_.owner(update), update);
            }
            counters_of(rank).held_max = std::max<std::int64_t>(counters_of(rank).held_max, own.buckets.pending());
            waiter.advance(before - left);
            // A part of a bucket may have found room: who is told of no progress takes nothing to be under way.
            progressed = progressed || before != left || own.buckets.pending() != held;
            if (!waiter.yield(progressed)) return false;
        }
        return true;
    }

    // Sends the largest bucket. False when its destination's inbox has no room.
    bool make_room(int rank) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        if (own.leaving < 0) {
            own.leaving = own.buckets.largest();
            counters_of(rank).full_buckets += own.steady ? 1 : 0;
            counters_of(rank).full_bucket_words +=
                static_cast<std::uint64_t>(own.steady ? own.buckets.size(own.leaving) : 0);
        }
        if (!send(rank, own.leaving)) return false;
        own.leaving = -1;
        return true;
    }

    // Empties a bucket, into the table or into packets. False when an inbox has no room.
    bool send(int rank, int bucket) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        SendCounters& counters = counters_of(rank);
        // Between processes a bucket is one message; inside one, parts of it stay in the cache on their way.
        alignas(64) std::array<Word, carries ? LargestBucket::capacity : LargestBucket::capacity / 8> words;
        const int most = std::min<int>(mailboxes_->plan().packet_words, static_cast<int>(words.size()));
        while (own.buckets.size(bucket) > 0) {
            const int count = own.buckets.peek(bucket, words.data(), most);
            if (bucket == rank) {
                apply(words.data(), count);
            } else {
                std::fill(words.data() + count, words.data() + whole_lines(static_cast<std::size_t>(count)), Word{0});
                ++counters.attempts;
                if (!carry(rank, bucket, words.data(), count)) {
                    ++counters.failures;
                    return false;
                }
                ++counters.packets;
                counters.words_sent += static_cast<std::uint64_t>(count);
            }
            own.buckets.remove(bucket, count);
        }
        return true;
    }

    bool carry(int rank, int to, const Word* words, int count) {
        if constexpr (carries) {
            return carrier_->try_send(rank, to, 0, words, count);
        } else {
            return worker_of(rank).sender.try_send(to, 0, words, count);
        }
    }

    void apply(const Word* words, int count) const {
        for (int i = 0; i < count; ++i) sink_.prefetch(words[i]);
        for (int i = 0; i < count; ++i) sink_.apply(words[i]);
    }

    // Applies what has come where it lies, so that it is never held.
    bool receive(int rank) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        std::uint64_t waiting = 0;
        for (Ring& ring : own.inbox) {
            while (const Word* packet = ring.poll()) {
                apply(packet, packet_length(packet, mailboxes_->plan().packet_words));
                ring.release();
                if constexpr (carries) carrier_->released(rank, 0);
                ++waiting;
            }
        }
        counters_of(rank).waiting_max = std::max(counters_of(rank).waiting_max, waiting);
        return waiting != 0;
    }

    template <class Waiter>
    void finish(int rank, Waiter& waiter) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        while (own.buckets.pending() > 0) {
            const int before = own.buckets.pending();
            bool sent = true;
            for (std::uint64_t i = 0; i < stint && sent && own.buckets.pending() > 0; ++i) {
                sent = send(rank, own.leaving >= 0 ? own.leaving : own.buckets.largest());
                own.leaving = -1;
            }
            const bool received = receive(rank);
            if (!waiter.yield(received || own.buckets.pending() != before)) return;
        }
        // One count for all: every rank sends to every other, so a count a pair would say the same thing N times over.
        finish_one(layout_.worker_of(rank));
        if constexpr (carries) carrier_->send_end_to_all(rank);
        bool nothing_more = false;
        do {
            nothing_more = finished_.finished(0, 0) == options_.ranks;
            const bool received = receive(rank);
            if (!waiter.yield(received || nothing_more)) return;
        } while (!nothing_more);
    }

    std::byte* memory_of(int rank) const {
        return memory_.data() + static_cast<std::size_t>(rank) * stride_words_ * sizeof(Word);
    }

    Carrier* carrier_;
    RankLayout layout_;
    FinishCounts finished_;
    std::vector<std::unique_ptr<BucketedRank>> ranks_;
    std::size_t bucket_bytes_ = 0;
    std::size_t stride_words_ = 0;
    Mapping memory_;
    std::unique_ptr<Mailboxes> mailboxes_;
    std::vector<std::unique_ptr<SendingWorker>> workers_;
};

}  // namespace narrows
