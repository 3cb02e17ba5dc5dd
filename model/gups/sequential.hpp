#pragma once

#include "model/prediction.hpp"

namespace narrows {

/// One processor that updates its own table.
///
/// Statement: GUPS = 1 / (t_g + t_u + t_o^s).
/// Symbols:   `update` = t_g + t_u + t_o^s, generating and updating with the loop around them.
/// Source:    garg2006 Section 4.1.
/// Range:     the table's size is that of the measurement.
/// Test:      tests/model/test_gups.cpp (0.0067 GUPS from 104 cycles of 700 MHz)
Prediction sequential_gups(Time update);

}  // namespace narrows
