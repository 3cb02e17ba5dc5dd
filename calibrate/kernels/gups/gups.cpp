#include "calibrate/kernels/gups/gups.hpp"

#include <bit>

#include "calibrate/kernels/gups/variants.hpp"

namespace narrows {

Ownership table_ownership(const GupsOptions& options) {
    return {std::countr_zero(options.table_words), options.ranks};
}

RankOptions rank_options(const GupsOptions& options) {
    RankOptions ranks;
    ranks.layout = {options.ranks, options.workers};
    ranks.pages = options.pages;
    if (options.progress) {
        const double share = static_cast<double>(options.updates) / options.workers;
        ranks.report = [progress = options.progress, share](std::uint64_t done) {
            progress(share > 0 ? std::min(1.0, static_cast<double>(done) / share) : 1.0);
        };
    }
    return ranks;
}

GupsRun begun_run(const GupsOptions& options) {
    GupsRun run;
    run.ranks = options.ranks;
    run.workers = options.workers;
    run.shape = options.shape;
    run.bucket = options.bucket;
    run.counters.updates = options.updates;
    return run;
}

void take_times(GupsRun& run, const RankTimes& times) {
    static_cast<WorkerTimes&>(run) = static_cast<const WorkerTimes&>(times);
    if (times.deadlocked) run.deadlock = "the ranks wait for each other";
    if (run.counters.updates > 0) {
        run.counters.cycles_per_update =
            static_cast<double>(times.ticks) * run.workers / static_cast<double>(run.counters.updates);
    }
}

GupsRun run_gups(const GupsOptions& options) {
    const GupsOptions chosen = checked(options);
    if (over_sockets(chosen.transport)) return run_gups_over_tcp(chosen);
    switch (chosen.variant) {
        case GupsVariant::sequential:
        case GupsVariant::local:
            return run_sequential(chosen);
        case GupsVariant::bucketed:
            return run_bucketed(chosen);
        case GupsVariant::exchanged:
            return run_exchanged(chosen);
        case GupsVariant::shmem:
            return run_shmem(chosen);
        case GupsVariant::naive:
        case GupsVariant::routed:
            break;
    }
    return run_routed(chosen);
}

}  // namespace narrows
