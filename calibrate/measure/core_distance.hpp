#pragma once

#include "calibrate/ranks/cores.hpp"

namespace narrows {

/// Seconds that a cache line takes from one core to another and is seen there: half of a round trip between the first
/// two cores, on an otherwise idle machine. 0 with a single core. Takes about a millisecond. A virtual machine's cores
/// may be near each other at one time and far at another: what ranks wait for each other's lines follows this.
/// Test: tests/calibrate/test_sampling.cpp
double core_distance(const Cores& cores);

/// The same if it takes no longer than so many seconds, as it does where others use the cores; else 0.
double core_distance(const Cores& cores, double most_seconds);

}  // namespace narrows
