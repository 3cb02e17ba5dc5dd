#include "calibrate/kernels/gups/exchanged_ranks.hpp"

namespace narrows {

GupsRun run_exchanged(const GupsOptions& options) {
    GupsRun run;
    run.ranks = options.ranks;
    run.workers = options.workers;
    run.shape = options.shape;
    run.counters.updates = options.updates;
    ExchangedRanks ranks(options, 0, options.ranks);
    take_times(run,
               run_messages(options.protocol, options.domain, rank_options(options),
                            [&ranks](auto& messages, int rank, auto& waiter) { ranks.run(messages, rank, waiter); }));
    ranks.count(run.counters);
    run.verified = options.verify;
    if (options.verify) run.errors = count_errors(ranks.table(), stream_shares(options), options.workers);
    return run;
}

}  // namespace narrows
