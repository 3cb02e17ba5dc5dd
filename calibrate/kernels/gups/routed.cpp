#include "calibrate/kernels/gups/routed_ranks.hpp"

namespace narrows {

RouterOptions router_options(const GupsOptions& options) {
    RouterOptions router;
    router.single_receive_buffer = options.receive_buffers == 1 && options.shape.size() > 1;
    router.in_transit = options.in_transit;
    router.pages = options.pages;
    return router;
}

void take_send_counters(GupsRun& run, const std::vector<std::unique_ptr<SendingWorker>>& workers,
                        const MailboxPlan& mailboxes) {
    SendCounters counted;
    for (const auto& worker : workers) counted.add(worker->counters);
    GupsCounters& counters = run.counters;
    counters.packets = counted.packets;
    counters.updates_per_packet = counted.full_buckets > 0 ? ratio(counted.full_bucket_words, counted.full_buckets)
                                                           : ratio(counted.words_sent, counted.packets);
    counters.hops_per_update = ratio(counted.words_sent, counters.updates);
    counters.send_blocking_factor = ratio(counted.failures, counted.attempts);
    counters.held_max = static_cast<int>(counted.held_max);
    counters.packets_waiting_max = static_cast<int>(counted.waiting_max);
    counters.packets_in_transit = mailboxes.packets_in_transit();
    for (const Channel& channel : mailboxes.channels) counters.pairs += channel.peers;
}

std::size_t routed_memory(const GupsOptions& options) {
    if (options.clock) return clocked_memory(options);
    const RoutePlan plan(options.shape, table_ownership(options), options.bucket);
    return RouterSetup::memory(plan, {options.ranks, options.workers}, router_options(options),
                               sizeof(Router<UpdateSink>));
}

GupsRun run_routed(const GupsOptions& options) {
    if (options.clock) return run_clocked(options);
    GupsRun run = begun_run(options);
    RoutedRanks<UpdateSink> ranks(options, {options.ranks, options.workers}, router_options(options));
    const RankTimes times = run_ranks(rank_options(options), ranks);
    take_times(run, times);
    take_send_counters(run, ranks.setup().workers(), ranks.setup().mailbox_plan());
    if (times.deadlocked) {
        run.deadlock = ranks.explain_deadlock();
        return run;
    }
    verify(run, ranks.table(), options);
    return run;
}

}  // namespace narrows
