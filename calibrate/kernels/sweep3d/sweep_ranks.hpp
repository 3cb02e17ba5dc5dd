#pragma once

#include <algorithm>
#include <vector>

#include "calibrate/kernels/sweep3d/rank_sweep.hpp"
#include "calibrate/ranks/mapping.hpp"

namespace narrows {

/// The ranks [first, last) of a run, with their flux side by side.
class SweepRanks {
  public:
    SweepRanks(const SweepPlan& plan, int first, int last) : first_(first) {
        std::size_t doubles = 0;
        const bool computes = !plan.options().skip_compute;
        for (int rank = first; computes && rank < last; ++rank) doubles += RankSweep::flux_doubles(plan, rank);
        if (computes) flux_ = Mapping(doubles * sizeof(double), PageSize::large, Contents::anything);
        double* next = computes ? reinterpret_cast<double*>(flux_.data()) : nullptr;
        // Zeros, by pages that are there before the clock runs.
        std::fill(next, next + doubles, 0.0);
        ranks_.reserve(static_cast<std::size_t>(last - first));
        for (int rank = first; rank < last; ++rank) {
            ranks_.emplace_back(plan, rank, next);
            if (computes) next += RankSweep::flux_doubles(plan, rank);
        }
    }

    RankSweep& operator[](int rank) { return ranks_[static_cast<std::size_t>(rank - first_)]; }
    std::vector<SweepRecord> records() const {
        std::vector<SweepRecord> all;
        for (const RankSweep& rank : ranks_) all.push_back(rank.record());
        return all;
    }

  private:
    int first_;
    Mapping flux_;
    std::vector<RankSweep> ranks_;
};

/// What the ranks left, together; a worker a rank.
SweepRun gathered_run(const SweepPlan& plan, const std::vector<SweepRecord>& records);

}  // namespace narrows
