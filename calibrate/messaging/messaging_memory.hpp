#pragma once

#include <cstddef>

#include "calibrate/messaging/protocol.hpp"

namespace narrows {

/// Bytes of the stacks of `ranks` ranks that do not have a thread of their own on `workers` workers.
std::size_t stack_memory(int ranks, int workers);

/// Bytes that the sends and receives of `ranks` ranks need in shared memory beside the messages themselves, all
/// touched: the protocol's queues or descriptors, a pair of ranks each; with `domain` above 0 those of ranks that share
/// a domain, and the gateways; the stacks of all that do not have a thread of their own on `workers` workers. In
/// virtual time ranks always have stacks, and gateways never.
std::size_t messaging_memory(Protocol protocol, int domain, int ranks, int workers, bool virtual_time = false);

}  // namespace narrows
