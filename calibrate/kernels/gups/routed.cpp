#include <fmt/format.h>

#include <new>
#include <vector>

#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/routing/prefetch_ahead.hpp"
#include "calibrate/routing/router.hpp"
#include "calibrate/routing/wait_cycle.hpp"

namespace narrows {

namespace {

RouterOptions router_options(const GupsOptions& options) {
    RouterOptions router;
    router.single_receive_buffer = options.receive_buffers == 1 && options.shape.size() > 1;
    router.in_transit = options.in_transit;
    router.pages = options.pages;
    return router;
}

/// The ranks of the routed variant: garg2006, Figure 1.
class RoutedRanks {
  public:
    explicit RoutedRanks(const GupsOptions& options)
        : options_(options),
          ownership_(table_ownership(options)),
          layout_{options.ranks, options.workers},
          table_(options.table_words, options.pages),
          setup_(RoutePlan(options.shape, ownership_, options.bucket), layout_, router_options(options),
                 sizeof(GupsRouter)) {
        if (layout_.threads()) return;
        const std::size_t lines = (setup_.inbox_offset() - setup_.buckets_offset() + most_table_ahead) / 64;
        lines_a_batch_ = static_cast<int>(lines / (stint / line_words)) + 1;
    }

    void set_up(int worker) {
        for (int rank = layout_.first_rank(worker); rank < layout_.first_rank(worker + 1); ++rank) {
            table_.fill(ownership_.first_entry(rank), ownership_.first_entry(rank + 1));
            new (setup_.block(rank)) GupsRouter(setup_, rank, UpdateSink(table_.data(), ownership_.index_mask()));
        }
    }

    void prefetch(int rank) const { GupsRouter::prefetch(setup_, rank); }

    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        if (form_updates(rank, waiter)) finish(router(rank), waiter);
    }

    const UpdateTable& table() const { return table_; }
    const RouterSetup& setup() const { return setup_; }
    RouteCounters counters() const {
        RouteCounters sum;
        for (const auto& worker : setup_.workers()) sum.add(worker->counters);
        return sum;
    }
    std::string explain_deadlock() const {
        return explain_wait_cycle(options_.ranks, [this](int rank) { return blocked_on(rank); });
    }

  private:
    using GupsRouter = Router<UpdateSink>;

    // Updates that a rank forms before another one runs.
    static constexpr std::uint64_t stint = 256;

    GupsRouter& router(int rank) const { return *std::launder(reinterpret_cast<GupsRouter*>(setup_.block(rank))); }

    template <class Waiter>
    bool form_updates(int rank, Waiter& waiter) {
        GupsRouter& own = router(rank);
        const UpdateShare share = update_share(options_.updates, options_.ranks, rank);
        UpdateStream stream(share.first);
        std::uint64_t left = share.count();
        int lane = 0;
        while (left > 0) {
            PrefetchAhead ahead = fetch_next(rank);
            own.wake_up();
            bool progressed = own.send_blocked();
            progressed = own.receive() || progressed;
            if (own.unblocked()) {
                const std::uint64_t formed = form(own, stream, lane, std::min(left, stint), ahead);
                waiter.advance(formed);
                left -= formed;
                progressed = progressed || formed > 0;
            }
            if (!waiter.yield(progressed)) return false;
        }
        return true;
    }

    // The memory of the rank that runs next: its buckets and its part of the table.
    PrefetchAhead fetch_next(int rank) const {
        PrefetchAhead ahead;
        if (lines_a_batch_ == 0) return ahead;
        const int next = rank + 1 == layout_.ranks ? 0 : rank + 1;
        const Word first = ownership_.first_entry(next);
        ahead.add(setup_.block(next) + setup_.buckets_offset(), setup_.inbox_offset() - setup_.buckets_offset());
        ahead.add(table_.data() + first,
                  std::min<std::size_t>(most_table_ahead, (ownership_.first_entry(next + 1) - first) * sizeof(Word)));
        return ahead;
    }

    // Forms up to `most` updates, fewer when a bucket blocks. `lane` is the first of the stream's lanes not yet formed.
    std::uint64_t form(GupsRouter& own, UpdateStream& stream, int& lane, std::uint64_t most, PrefetchAhead& ahead) {
        std::uint64_t formed = 0;
        while (formed < most && own.unblocked()) {
            if (own.single_peer() && lane == 0) {
                const int taken = own.split(stream, static_cast<int>(most - formed));
                formed += static_cast<std::uint64_t>(taken);
                if (taken > 0) continue;
            }
            const int end = static_cast<int>(std::min<std::uint64_t>(line_words, most - formed + lane));
            ahead.step(lines_a_batch_);
            const int next = own.route(stream.lanes(), lane, end);
            formed += static_cast<std::uint64_t>(next - lane);
            lane = next;
            if (lane == static_cast<int>(line_words)) {
                stream.advance();
                lane = 0;
            }
        }
        return formed;
    }

    // garg2006, Section 5.4: when all that might be routed along a dimension has come, what is left goes out along it,
    // then the word that nothing more will.
    template <class Waiter>
    static void finish(GupsRouter& own, Waiter& waiter) {
        own.begin_finishing();
        const int dimensions = own.dimension_count();
        for (int d = 0; d < dimensions; ++d) {
            bool flushed = false;
            bool finished = false;
            while (!flushed || !finished) {
                bool progressed = own.send_blocked();
                // Looked up before the inbox: what was placed before the count was raised is then worked off below.
                const bool nothing_more = own.peers_finished(d);
                progressed = own.receive() || progressed;
                if (!flushed) progressed = (flushed = own.flush(d)) || progressed;
                finished = nothing_more && own.worked_off(d);
                if (!waiter.yield(progressed)) return;
            }
        }
        own.apply_own();
    }

    WaitEdge blocked_on(int rank) const {
        const GupsRouter& own = router(rank);
        const int awaited = own.awaited_bucket();
        if (awaited < 0) return {};
        const int dimension = setup_.plan().dimension_of_bucket(awaited);
        const int full = own.blocked_bucket(dimension);
        if (full < 0) return {};
        return {own.neighbour(full), dimension};
    }

    // Bytes of a rank's part of the table that are fetched before it runs.
    static constexpr std::size_t most_table_ahead = 8192;

    const GupsOptions& options_;
    /// Cache lines of the next rank to fetch with every eight updates; 0 when a rank does not share its worker.
    int lines_a_batch_ = 0;
    Ownership ownership_;
    RankLayout layout_;
    UpdateTable table_;
    RouterSetup setup_;
};

void take_counters(GupsRun& run, const RoutedRanks& ranks) {
    const RouteCounters counted = ranks.counters();
    GupsCounters& counters = run.counters;
    const auto ratio = [](std::uint64_t a, std::uint64_t b) {
        return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
    };
    counters.packets = counted.packets;
    counters.updates_per_packet = ratio(counted.full_packet_words, counted.full_packets);
    counters.hops_per_update = ratio(counted.words_sent, counters.updates);
    counters.send_blocking_factor = ratio(counted.failures, counted.attempts);
    counters.held_max = static_cast<int>(counted.held_max);
    counters.packets_waiting_max = static_cast<int>(counted.waiting_max);
    const MailboxPlan& mailboxes = ranks.setup().mailbox_plan();
    counters.packets_in_transit = mailboxes.packets_in_transit();
    for (const Channel& channel : mailboxes.channels) counters.pairs += channel.peers;
}

}  // namespace

std::size_t routed_memory(const GupsOptions& options) {
    const RoutePlan plan(options.shape, table_ownership(options), options.bucket);
    return RouterSetup::memory(plan, {options.ranks, options.workers}, router_options(options),
                               sizeof(Router<UpdateSink>));
}

GupsRun run_routed(const GupsOptions& options) {
    GupsRun run;
    run.ranks = options.ranks;
    run.workers = options.workers;
    run.shape = options.shape;
    run.bucket = options.bucket;
    run.counters.updates = options.updates;
    RoutedRanks ranks(options);
    const RankTimes times = run_ranks(rank_options(options), ranks);
    take_times(run, times);
    take_counters(run, ranks);
    if (times.deadlocked) {
        run.deadlock = ranks.explain_deadlock();
        return run;
    }
    run.verified = options.verify;
    if (options.verify) run.errors = count_errors(ranks.table(), options.updates, options.workers);
    return run;
}

}  // namespace narrows
