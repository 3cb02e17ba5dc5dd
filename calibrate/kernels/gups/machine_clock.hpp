#pragma once

#include <optional>
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

/// Where a processor's time goes, an update of the middle of the run, or of all of it where that has no middle: the
/// terms sum to the time of an update.
struct UpdateTime {
    double updates = 0;  ///< forming and applying
    double routing = 0;
    double packets = 0;
    double waiting = 0;

    double busy() const { return updates + routing + packets; }
    double all() const { return busy() + waiting; }
};

UpdateTime update_time(const ClockedMachine& clocked, const ClockedGups& run);

/// What is predicted of packets as full as those of the run, which may be padded; those of `predict_gups` are not.
/// With `updates` of all of such a run, else of the middle of one.
Prediction prediction_of(const ClockedMachine& clocked, std::optional<double> updates);

}  // namespace narrows
