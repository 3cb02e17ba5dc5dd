#pragma once

#include <cstdint>

#include "cli/sweep_deck.hpp"
#include "cli/workload.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

/// Ranks that a node runs: those of its first mode, else a rank a processor.
std::int64_t ranks_per_node(const Machine& machine);

/// What is asked of Sweep3D, and how many nodes that takes.
struct SweepSize {
    SweepQuery query;
    std::int64_t nodes = 1;
};

/// As the words say; ranks follow from `nodes` where neither `--ranks` nor `--grid` is given. InputError names the
/// option that is wrong.
SweepSize chosen_sweep(const OptionWords& words, const Machine& machine, std::int64_t nodes);

/// `Workload::tuned`: the best grid and blocks, as far as the words leave them free.
Document tuned_sweep(const Workload& workload, const OptionWords& words, const Machine& machine,
                     const ReportProgress& progress);

}  // namespace narrows
