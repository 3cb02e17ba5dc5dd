#pragma once

#include "model/wavefront/workload.hpp"

namespace narrows {

/// What the query's messages cost on the machine, for more than one rank: levels, gateways, shared processors and `hop`
/// of the wavefront. InputError as `sweep_wavefront`.
void read_messages(const Machine& machine, const SweepQuery& query, Wavefront& wavefront);

}  // namespace narrows
