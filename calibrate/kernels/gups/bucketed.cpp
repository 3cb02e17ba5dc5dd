#include "calibrate/kernels/gups/bucketed_ranks.hpp"

namespace narrows {

void take_bucketed_counters(GupsRun& run, const std::vector<std::unique_ptr<BucketedWorker>>& workers,
                            const MailboxPlan& mailboxes) {
    BucketedWorker sum = *workers.front();
    for (std::size_t i = 1; i < workers.size(); ++i) {
        const BucketedWorker& worker = *workers[i];
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
    counters.updates_per_packet =
        sum.removed > 0 ? ratio(sum.removed_updates, sum.removed) : ratio(sum.sent, sum.packets);
    counters.hops_per_update = ratio(sum.sent, counters.updates);
    counters.send_blocking_factor = ratio(sum.failures, sum.attempts);
    counters.held_max = sum.held_max;
    counters.packets_waiting_max = static_cast<int>(sum.waiting_max);
    counters.packets_in_transit = mailboxes.packets_in_transit();
    counters.pairs = mailboxes.channels.front().peers;
}

std::size_t bucketed_memory(const GupsOptions& options) {
    if (options.ranks > LargestBucket::most_buckets) {
        throw InputError(
            fmt::format("{} ranks are too many for a bucket for each: give at most {}, or the routed variant",
                        options.ranks, LargestBucket::most_buckets));
    }
    const std::size_t rank =
        LargestBucket::memory(options.ranks) + bucketed_mailboxes(options).inbox_words() * sizeof(Word);
    return rank * static_cast<std::size_t>(options.ranks);
}

GupsRun run_bucketed(const GupsOptions& options) {
    GupsRun run = begun_run(options);
    BucketedRanks<void> ranks(options);
    take_times(run, run_ranks(rank_options(options), ranks));
    take_bucketed_counters(run, ranks.workers(), ranks.mailbox_plan_used());
    verify(run, ranks.table(), options);
    return run;
}

}  // namespace narrows
