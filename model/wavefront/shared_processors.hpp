#pragma once

#include "model/wavefront/recurrence.hpp"

namespace narrows {

/// Time of an iteration where ranks take turns on processors, as fibers on a thread do.
///
/// Statement: each processor goes over its ranks in the order of their numbers, again and again, and runs one until it
///            has to wait; it idles only when all of its ranks wait. A rank's program is that of `wavefront_time`, and
///            its computing, sends and receives keep its processor busy. A synchronous sender waits until the request
///            of its receiver has come, a receiver until the message has; on one processor both come with the flight of
///            the first level.
/// Symbols:   as `wavefront_time`. The time is at least the recurrence's with a processor a rank, and at least the work
///            of the busiest processor: no more than a list schedule makes of the two (Graham 1966).
/// Source:    calibrate/ranks/fiber_worker.cpp (the order in which ranks are run); derived.
/// Range:     `shared.ranks` above 0, no gateways (std::logic_error). A rank that gives its processor up comes back at
///            no other cost than those of its messages.
/// Terms:     of the processor that ends last: `computing`, `overhead` (sends and receives) and `waiting`.
/// Test:      tests/model/wavefront/test_shared_processors.cpp
Breakdown shared_processors_breakdown(const Wavefront& wavefront, const ReportProgress& progress = {});

}  // namespace narrows
