#include "calibrate/kernels/gups/bucketed_ranks.hpp"

namespace narrows {

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
    take_send_counters(run, ranks.workers(), ranks.mailbox_plan_used());
    verify(run, ranks.table(), options);
    return run;
}

}  // namespace narrows
