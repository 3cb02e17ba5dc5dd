#pragma once

#include "calibrate/ranks/cores.hpp"

namespace narrows {

/// Seconds that a cache line takes from one core to another and is seen there: half of a round trip between the first
/// two cores, on an otherwise idle machine. 0 with a single core. Takes about a millisecond. A virtual machine's cores
/// may be near each other at one time and far at another: what ranks wait for each other's lines follows this.
/// Where others use the cores it may take long: 0 if it takes more than `most_seconds`.
/// Test: tests/calibrate/test_state_now.cpp
double core_distance(const Cores& cores, double most_seconds = 10);

}  // namespace narrows
