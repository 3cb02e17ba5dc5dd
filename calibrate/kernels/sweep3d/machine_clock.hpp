#pragma once

#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

/// The machine's time for a virtual clock: what `sweep_wavefront` takes from its file, for the protocol that runs.
/// Ranks of one level reach each other's memory; beyond all levels messages pass the machine's gateways, or, if it has
/// none, go from rank to rank. The ends of a message are a rank's way to its controller and back; what it is in flight
/// for is split evenly between the legs from controller to host and from host to controller; a gateway's service is its
/// controller's for what leaves and its host's for what comes. InputError when messages wait for no receiver or cost
/// other than so much each and so much a byte, or when gateways and levels do not fit together.
SweepClock sweep_clock(const Wavefront& wavefront, const SweepQuery& query);

}  // namespace narrows
