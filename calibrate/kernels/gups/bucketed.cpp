#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>
#include <vector>

#include "calibrate/kernels/gups/largest_bucket.hpp"
#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/transport/receiver.hpp"
#include "calibrate/transport/sender.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

namespace {

constexpr int most_lines_an_inbox = 192;

/// Room for nearly every bucket that is sent; a larger one goes as several packets. The largest of N buckets with 1024
/// updates holds about 2 * 1024 / N.
int packet_words(int ranks) {
    const double mean = static_cast<double>(most_held) / ranks;
    const double room = 3 * mean + 4 * std::sqrt(mean) + 4;
    return static_cast<int>(whole_lines(static_cast<std::size_t>(std::min<double>(most_held, room))));
}

MailboxPlan mailbox_plan(const GupsOptions& options) {
    Channel channel;
    channel.peers = options.ranks - 1;
    channel.producers = std::max(1, std::min(options.workers, channel.peers));
    MailboxPlan plan{{options.ranks, options.workers}, {}, packet_words(options.ranks)};
    channel.slots = ring_slots(channel, options.in_transit, plan.packet_words, most_lines_an_inbox);
    plan.channels.push_back(channel);
    return plan;
}

/// What a worker's ranks share.
struct BucketedWorker {
    BucketedWorker(const Mailboxes& mailboxes, int worker) : sender(mailboxes, worker) {}
    Sender sender;
    std::uint64_t removed = 0;
    std::uint64_t removed_updates = 0;
    std::uint64_t packets = 0;
    std::uint64_t sent = 0;
    std::uint64_t attempts = 0;
    std::uint64_t failures = 0;
    std::uint64_t waiting_max = 0;
    int held_max = 0;
};

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

/// The ranks of the bucketed variant: garg2006, Section 5.1.
class BucketedRanks {
  public:
    explicit BucketedRanks(const GupsOptions& options)
        : options_(options),
          ownership_(table_ownership(options)),
          layout_{options.ranks, options.workers},
          table_(options.table_words, options.pages),
          sink_(table_.data(), ownership_.index_mask()),
          finished_({1, options.workers}, 1),
          ranks_(static_cast<std::size_t>(options.ranks)) {
        const MailboxPlan plan = mailbox_plan(options);
        bucket_bytes_ = LargestBucket::memory(options.ranks);
        stride_words_ = (bucket_bytes_ / sizeof(Word) + plan.inbox_words()) | line_words;
        memory_ = Mapping(stride_words_ * sizeof(Word) * ranks_.size(), options.pages);
        mailboxes_ =
            std::make_unique<Mailboxes>(plan, reinterpret_cast<Word*>(memory_.data() + bucket_bytes_), stride_words_);
        for (int worker = 0; worker < options.workers; ++worker) {
            workers_.push_back(std::make_unique<BucketedWorker>(*mailboxes_, worker));
        }
    }

    void set_up(int worker) {
        const MailboxPlan& plan = mailboxes_->plan();
        for (int rank = layout_.first_rank(worker); rank < layout_.first_rank(worker + 1); ++rank) {
            table_.fill(ownership_.first_entry(rank), ownership_.first_entry(rank + 1));
            auto own = std::make_unique<BucketedRank>(
                memory_.data() + static_cast<std::size_t>(rank) * stride_words_ * sizeof(Word), options_.ranks);
            for (int ring = 0; ring < plan.rings(0); ++ring) {
                const bool own_thread = plan.rings(0) == 1 || ring == worker;
                own->inbox.emplace_back(mailboxes_->ring(rank, 0, ring), plan.channels.front().slots, plan.slot_words(),
                                        own_thread ? worker_of(rank).sender.waiting(rank, 0) : nullptr);
            }
            ranks_[static_cast<std::size_t>(rank)] = std::move(own);
        }
    }
    void prefetch(int rank) const { __builtin_prefetch(ranks_[static_cast<std::size_t>(rank)].get()); }

    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        if (form_updates(rank, waiter)) finish(rank, waiter);
    }

    const UpdateTable& table() const { return table_; }
    const MailboxPlan& mailbox_plan_used() const { return mailboxes_->plan(); }
    const std::vector<std::unique_ptr<BucketedWorker>>& workers() const { return workers_; }

  private:
    // Updates that a rank forms before another one runs.
    static constexpr std::uint64_t stint = 64;

    BucketedWorker& worker_of(int rank) const { return *workers_[static_cast<std::size_t>(layout_.worker_of(rank))]; }

    template <class Waiter>
    bool form_updates(int rank, Waiter& waiter) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        const UpdateShare share = update_share(options_.updates, options_.ranks, rank);
        Word update = stream_start(share.first);
        std::uint64_t left = share.count();
        while (left > 0) {
            bool progressed = receive(rank);
            own.steady = left <= share.count() / 4;
            const std::uint64_t before = left;
            for (std::uint64_t i = 0; i < stint && left > 0; ++i, --left) {
                if (own.buckets.full() && !make_room(rank)) break;
                update = next_update(update);
                own.buckets.insert(ownership_.owner(update), update);
            }
            worker_of(rank).held_max = std::max(worker_of(rank).held_max, own.buckets.pending());
            waiter.advance(before - left);
            progressed = progressed || before != left;
            if (!waiter.yield(progressed)) return false;
        }
        return true;
    }

    // Sends the largest bucket. False when its destination's inbox has no room.
    bool make_room(int rank) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        if (own.leaving < 0) {
            own.leaving = own.buckets.largest();
            worker_of(rank).removed += own.steady ? 1 : 0;
            worker_of(rank).removed_updates +=
                static_cast<std::uint64_t>(own.steady ? own.buckets.size(own.leaving) : 0);
        }
        if (!send(rank, own.leaving)) return false;
        own.leaving = -1;
        return true;
    }

    // Empties a bucket, into the table or into packets. False when an inbox has no room.
    bool send(int rank, int bucket) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        BucketedWorker& worker = worker_of(rank);
        alignas(64) std::array<Word, LargestBucket::capacity / 8> words;
        const int most = std::min<int>(mailboxes_->plan().packet_words, static_cast<int>(words.size()));
        while (own.buckets.size(bucket) > 0) {
            const int count = own.buckets.peek(bucket, words.data(), most);
            if (bucket == rank) {
                apply(words.data(), count);
            } else {
                std::fill(words.data() + count, words.data() + whole_lines(static_cast<std::size_t>(count)), Word{0});
                ++worker.attempts;
                if (!worker.sender.try_send(bucket, 0, words.data(), count)) {
                    ++worker.failures;
                    return false;
                }
                ++worker.packets;
                worker.sent += static_cast<std::uint64_t>(count);
            }
            own.buckets.remove(bucket, count);
        }
        return true;
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
                ++waiting;
            }
        }
        worker_of(rank).waiting_max = std::max(worker_of(rank).waiting_max, waiting);
        return waiting != 0;
    }

    template <class Waiter>
    void finish(int rank, Waiter& waiter) {
        BucketedRank& own = *ranks_[static_cast<std::size_t>(rank)];
        while (own.buckets.pending() > 0) {
            const int before = own.buckets.pending();
            send(rank, own.leaving >= 0 ? own.leaving : own.buckets.largest());
            own.leaving = -1;
            const bool received = receive(rank);
            if (!waiter.yield(received || own.buckets.pending() != before)) return;
        }
        // One count for all: every rank sends to every other, so a count a pair would say the same thing N times over.
        finished_.raise(layout_.worker_of(rank), 0, 0);
        bool nothing_more = false;
        do {
            nothing_more = finished_.finished(0, 0) == options_.ranks;
            const bool received = receive(rank);
            if (!waiter.yield(received || nothing_more)) return;
        } while (!nothing_more);
    }

    const GupsOptions& options_;
    Ownership ownership_;
    RankLayout layout_;
    UpdateTable table_;
    UpdateSink sink_;
    FinishCounts finished_;
    std::vector<std::unique_ptr<BucketedRank>> ranks_;
    std::size_t bucket_bytes_ = 0;
    std::size_t stride_words_ = 0;
    Mapping memory_;
    std::unique_ptr<Mailboxes> mailboxes_;
    std::vector<std::unique_ptr<BucketedWorker>> workers_;
};

void take_counters(GupsRun& run, const BucketedRanks& ranks) {
    const auto ratio = [](std::uint64_t a, std::uint64_t b) {
        return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
    };
    BucketedWorker sum = *ranks.workers().front();
    for (std::size_t i = 1; i < ranks.workers().size(); ++i) {
        const BucketedWorker& worker = *ranks.workers()[i];
        sum.removed += worker.removed;
        sum.removed_updates += worker.removed_updates;
        sum.packets += worker.packets;
        sum.sent += worker.sent;
        sum.attempts += worker.attempts;
        sum.failures += worker.failures;
        sum.waiting_max = std::max(sum.waiting_max, worker.waiting_max);
        sum.held_max = std::max(sum.held_max, worker.held_max);
    }
    GupsCounters& counters = run.counters;
    counters.packets = sum.packets;
    counters.updates_per_packet = ratio(sum.removed_updates, sum.removed);
    counters.hops_per_update = ratio(sum.sent, counters.updates);
    counters.send_blocking_factor = ratio(sum.failures, sum.attempts);
    counters.held_max = sum.held_max;
    counters.packets_waiting_max = static_cast<int>(sum.waiting_max);
    counters.packets_in_transit = ranks.mailbox_plan_used().packets_in_transit();
    counters.pairs = ranks.mailbox_plan_used().channels.front().peers;
}

}  // namespace

std::size_t bucketed_memory(const GupsOptions& options) {
    if (options.ranks > LargestBucket::most_buckets) {
        throw InputError(
            fmt::format("{} ranks are too many for a bucket for each: give at most {}, or the routed variant",
                        options.ranks, LargestBucket::most_buckets));
    }
    const std::size_t rank = LargestBucket::memory(options.ranks) + mailbox_plan(options).inbox_words() * sizeof(Word);
    return rank * static_cast<std::size_t>(options.ranks);
}

GupsRun run_bucketed(const GupsOptions& options) {
    GupsRun run;
    run.ranks = options.ranks;
    run.workers = options.workers;
    run.counters.updates = options.updates;
    BucketedRanks ranks(options);
    take_times(run, run_ranks(rank_options(options), ranks));
    take_counters(run, ranks);
    run.verified = options.verify;
    if (options.verify) run.errors = count_errors(ranks.table(), options.updates, options.workers);
    return run;
}

}  // namespace narrows
