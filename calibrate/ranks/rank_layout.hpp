#pragma once

namespace narrows {

/// How the ranks of a run are split between workers, which are threads or processes: contiguous blocks whose sizes
/// differ by at most one.
struct RankLayout {
    int ranks = 1;
    int workers = 1;

    int first_rank(int worker) const;
    int worker_of(int rank) const;
    bool has(int worker, int rank) const { return rank >= first_rank(worker) && rank < first_rank(worker + 1); }
    /// One rank a worker: ranks are threads. Otherwise they are fibers.
    bool threads() const { return ranks == workers; }
};

/// A layout for `ranks` ranks on `workers` workers; 0 workers means one a core, and never more than ranks.
/// Throws InputError unless 1 <= ranks and 0 <= workers.
RankLayout rank_layout(int ranks, int workers);

}  // namespace narrows
