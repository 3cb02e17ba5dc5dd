#pragma once

#include <string>
#include <vector>

#include "calibrate/kernels/gups/gups.hpp"
#include "model/gups/workload.hpp"

namespace narrows {

/// A machine whose time a run of the routed variant tells.
struct ClockedMachine {
    Machine machine;
    GupsQuery query;
    Placement placement;
    int bucket = 0;      ///< updates in a full one
    bool usual = false;  ///< shape and packets are those that the machine has unless others are asked for
    GupsClock clock;
    std::vector<std::string> rounded;  ///< what the clock has otherwise than the machine's file, and why
};

/// The machine's time for a virtual clock: what `predict_gups` takes from its file for the same query, and its buffers.
/// InputError names what the machine lacks, and a shape or bucket that does not fit it.
ClockedMachine clocked_gups(const Machine& machine, const GupsQuery& query);

}  // namespace narrows
