#include "calibrate/kernels/gups/exchanged_ranks.hpp"

namespace narrows {

GupsRun run_exchanged(const GupsOptions& options) {
    GupsRun run = begun_run(options);
    ExchangedRanks ranks(options, 0, options.ranks);
    take_times(run,
               run_messages(options.protocol, options.domain, rank_options(options),
                            [&ranks](auto& messages, int rank, auto& waiter) { ranks.run(messages, rank, waiter); }));
    ranks.count(run.counters);
    verify(run, ranks.table(), options);
    return run;
}

}  // namespace narrows
