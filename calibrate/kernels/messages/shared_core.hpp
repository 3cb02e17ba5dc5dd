#pragma once

#include "calibrate/kernels/messages/measure.hpp"

namespace narrows {

/// Whether rank 0 and the rank that its first message goes to run on one of this machine's `cores` cores, as ranks of
/// one thread or as threads or processes that take turns (over sockets those of more than cores, wherever they are
/// put): what they measure is then no message between cores. Of messages through gateways, whether the gateways are
/// there too. Under MPI, where the launcher places the ranks, false.
bool shares_core(const MessageOptions& options, int cores);

}  // namespace narrows
