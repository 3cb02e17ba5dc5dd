#pragma once

#include <cstdint>

#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/gups/update_table.hpp"
#include "calibrate/ranks/run_ranks.hpp"
#include "calibrate/routing/router_setup.hpp"

namespace narrows {

// What the variants of RandomAccess share. All take options that `checked` has returned.

/// The table of a run and who owns what of it.
Ownership table_ownership(const GupsOptions& options);
/// The part of the stream that one rank applies.
inline UpdateShare stream_share(const GupsOptions& options, int rank) {
    const UpdateShare share = update_share(options.updates, options.ranks, rank);
    return {options.first_update + share.first, options.first_update + share.last};
}
/// What the ranks of all variants that send updates have: a table, who owns what of it, and what updates it.
class TableRanks {
  public:
    const UpdateTable& table() const { return table_; }

  protected:
    explicit TableRanks(const GupsOptions& options)
        : options_(options),
          ownership_(table_ownership(options)),
          table_(options.table_words, options.pages),
          sink_(table_.data(), ownership_.index_mask()) {}

    /// Gives the entries of the ranks [first, last) their first values.
    void fill(int first, int last) const { table_.fill(ownership_.first_entry(first), ownership_.first_entry(last)); }

    const GupsOptions& options_;
    Ownership ownership_;
    UpdateTable table_;
    UpdateSink sink_;
};

/// How the run's ranks are to be run.
RankOptions rank_options(const GupsOptions& options);
/// A run before it has run.
GupsRun begun_run(const GupsOptions& options);
/// Puts what the ranks' run took into `run`.
void take_times(GupsRun& run, const RankTimes& times);

/// Entries that are not as they were after all updates have been applied again, by code that shares nothing with the
/// variants but the stream: every worker forms all updates and applies those for its part of the table.
std::uint64_t count_errors(const UpdateTable& table, const UpdateShare& updates, int workers);
/// The same among the entries [first, last), where others are elsewhere.
std::uint64_t count_errors(const UpdateTable& table, const UpdateShare& entries, const UpdateShare& updates,
                           int workers);
/// Counts errors into `run`, of all entries or those of a share, if the options ask for it.
void verify(GupsRun& run, const UpdateTable& table, const UpdateShare& entries, const GupsOptions& options);
inline void verify(GupsRun& run, const UpdateTable& table, const GupsOptions& options) {
    verify(run, table, {0, table.words()}, options);
}

/// What counters have for each other, 0 of none.
inline double ratio(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}

GupsRun run_sequential(const GupsOptions& options);
GupsRun run_bucketed(const GupsOptions& options);
GupsRun run_exchanged(const GupsOptions& options);
GupsRun run_routed(const GupsOptions& options);
GupsRun run_shmem(const GupsOptions& options);
GupsRun run_gups_over_tcp(const GupsOptions& options);
/// The routed variant by the clock that the options have.
GupsRun run_clocked(const GupsOptions& options);

/// How routers are made for the routed variant.
RouterOptions router_options(const GupsOptions& options);
/// What the workers counted; of `bucketed` full buckets are those removed in the last quarter.
void take_send_counters(GupsRun& run, const std::vector<std::unique_ptr<SendingWorker>>& workers,
                        const MailboxPlan& mailboxes);

/// Bytes that the ranks of a variant need besides the table.
std::size_t bucketed_memory(const GupsOptions& options);
std::size_t routed_memory(const GupsOptions& options);
std::size_t clocked_memory(const GupsOptions& options);
std::size_t shmem_memory(const GupsOptions& options);
std::size_t exchanged_memory(const GupsOptions& options);

}  // namespace narrows
