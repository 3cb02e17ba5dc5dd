#include <algorithm>

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

// Of a rank: a message, what it holds, and in the buckets of the longest dimension as much again.
std::size_t exchanged_memory(const GupsOptions& options) {
    const auto longest = static_cast<std::size_t>(*std::ranges::max_element(options.shape));
    const std::size_t words = most_words + 2 * ExchangedRanks::held_updates;
    return static_cast<std::size_t>(options.ranks) * (words * sizeof(Word) + longest * sizeof(std::vector<Word>));
}

}  // namespace narrows
