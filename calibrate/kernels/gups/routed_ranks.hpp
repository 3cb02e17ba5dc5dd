#pragma once

#include <algorithm>
#include <new>
#include <string>

#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/routing/prefetch_ahead.hpp"
#include "calibrate/routing/router.hpp"
#include "calibrate/routing/wait_cycle.hpp"

namespace narrows {

/// The ranks of the routed variant: garg2006, Figure 1. `Sink` is what their routers' words go to; one of virtual time
/// (`TimedSink`) also has
///
///   formed(n)              n new updates have been formed
///   looked(full, n)        n more unsuccessful polls, with so many full buckets
template <class Sink>
class RoutedRanks : public TableRanks {
  public:
    using GupsRouter = Router<Sink>;

    RoutedRanks(const GupsOptions& options, const RankLayout& layout, const RouterOptions& router)
        : TableRanks(options),
          layout_(layout),
          setup_(RoutePlan(options.shape, ownership_, options.bucket), layout_, router, sizeof(GupsRouter)) {
        if (layout_.threads() || TimedSink<Sink>) return;
        const std::size_t lines = (setup_.inbox_offset() - setup_.buckets_offset() + most_table_ahead) / 64;
        lines_a_batch_ = static_cast<int>(lines / (stint / line_words)) + 1;
    }

    void set_up(int worker) {
        set_up(worker, [](int /*rank*/, const UpdateSink& table) { return table; });
    }
    /// `sink(rank, table)` makes a rank's sink of what applies updates to the table.
    template <class MakeSink>
    void set_up(int worker, const MakeSink& sink) {
        set_up(layout_.first_rank(worker), layout_.first_rank(worker + 1), sink);
    }
    /// Of the ranks [first, last), where others are elsewhere.
    template <class MakeSink>
    void set_up(int first, int last, const MakeSink& sink) {
        fill(first, last);
        touch_pages(setup_.block(first), setup_.block(last));
        for (int rank = first; rank < last; ++rank) {
            new (setup_.block(rank)) GupsRouter(setup_, rank, sink(rank, sink_));
        }
    }

    void prefetch(int rank) const { GupsRouter::prefetch(setup_, rank); }

    static constexpr bool idle_ranks_rest = true;

    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        if (form_updates(rank, waiter)) finish(router(rank), waiter);
    }

    const RouterSetup& setup() const { return setup_; }
    RouterSetup& setup() { return setup_; }
    std::string explain_deadlock() const {
        // A clock's buffers are its machine's, one a dimension anyway.
        const char* remedy = TimedSink<Sink>
                                 ? "larger buffers in the machine's file may prevent this: network.reception.buffer, "
                                   "network.injection.buffer and network.link.buffer"
                                 : "one receive buffer for each dimension prevents this";
        return explain_wait_cycle(
            options_.ranks, [this](int rank) { return blocked_on(rank); }, remedy);
    }

  private:
    // Updates that a rank forms before another one runs; in virtual time one a pass, as garg2006 has it.
    static constexpr std::uint64_t stint = TimedSink<Sink> ? 1 : 256;
    // First update whose slot is fetched: behind each line of eight it is those of the line after the next.
    static constexpr std::uint64_t slots_ahead = 16;

    GupsRouter& router(int rank) const { return *std::launder(reinterpret_cast<GupsRouter*>(setup_.block(rank))); }

    template <class Waiter>
    bool form_updates(int rank, Waiter& waiter) {
        GupsRouter& own = router(rank);
        const UpdateShare share = stream_share(options_, rank);
        Forming forming{UpdateStream(share.first), UpdateStream(share.first + slots_ahead)};
        std::uint64_t left = share.count();
        while (left > 0) {
            PrefetchAhead ahead = fetch_next(rank);
            if constexpr (!TimedSink<Sink>) wake_up(own);
            bool progressed = own.send_blocked();
            progressed = own.receive() || progressed;
            if (own.unblocked()) {
                const std::uint64_t formed = form(own, forming, std::min(left, stint), ahead);
                waiter.advance(formed);
                if constexpr (TimedSink<Sink>) own.sink().formed(formed);
                left -= formed;
                progressed = progressed || formed > 0;
            }
            if (fetches_next_slots()) router(next_rank(rank)).fetch_slots();
            if (!give_way(own, waiter, progressed)) return false;
        }
        return true;
    }

    bool shares_worker() const { return lines_a_batch_ > 0; }
    // Of several processes the next rank may be another's.
    bool fetches_next_slots() const { return shares_worker() && !CarryingSink<Sink>; }

    // What a rank needs first: what its slots hold, where the rank before it has fetched these.
    void wake_up(GupsRouter& own) const {
        if (fetches_next_slots()) {
            own.fetch_words();
        } else {
            own.fetch_slots();
        }
    }

    // The rank of the same worker that runs next.
    int next_rank(int rank) const {
        const int worker = layout_.worker_of(rank);
        return rank + 1 == layout_.first_rank(worker + 1) ? layout_.first_rank(worker) : rank + 1;
    }

    template <class Waiter>
    static bool give_way(GupsRouter& own, Waiter& waiter, bool progressed) {
        if constexpr (requires { waiter.await_rank(0); }) {
            if (!progressed && own.blocked_count() > 0) waiter.await_rank(own.blocked_on());
        }
        const bool goes_on = waiter.yield(progressed);
        if constexpr (TimedSink<Sink>) own.sink().looked(own.blocked_count(), waiter.missed());
        return goes_on;
    }

    // The memory of the rank that runs next: its buckets and its part of the table.
    PrefetchAhead fetch_next(int rank) const {
        PrefetchAhead ahead;
        if (!shares_worker()) return ahead;
        const int next = next_rank(rank);
        const Word first = ownership_.first_entry(next);
        ahead.add(setup_.block(next) + setup_.buckets_offset(), setup_.inbox_offset() - setup_.buckets_offset());
        ahead.add(table_.data() + first,
                  std::min<std::size_t>(most_table_ahead, (ownership_.first_entry(next + 1) - first) * sizeof(Word)));
        return ahead;
    }

    // The updates that a rank forms.
    struct Forming {
        UpdateStream stream;
        /// The same further on: updates whose slots are fetched.
        UpdateStream later;
        /// The first of the stream's lanes not yet formed.
        int lane = 0;
    };

    // Forms up to `most` updates, fewer when a bucket blocks.
    std::uint64_t form(GupsRouter& own, Forming& forming, std::uint64_t most, PrefetchAhead& ahead) {
        auto& [stream, later, lane] = forming;
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
                if (own.sends_each_word()) {
                    own.fetch_slots_of(later.lanes());
                    later.advance();
                }
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
                if (!give_way(own, waiter, progressed || (flushed && finished))) return;
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

    /// Cache lines of the next rank to fetch with every eight updates; 0 when a rank does not share its worker.
    int lines_a_batch_ = 0;
    RankLayout layout_;
    RouterSetup setup_;
};

}  // namespace narrows
