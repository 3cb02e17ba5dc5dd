#pragma once

#include "model/path/path.hpp"

namespace narrows {

/// A sweep whose inner loop alone runs on accelerators: a controller pushes them lines of cells from memory.
struct PushedSweep {
    double cell_angles = 0;  ///< of all octants and iterations
    int accelerators = 1;
    Time grind;           ///< of an accelerator, a cell and angle
    Data volume;          ///< of a cell and angle, one way
    Bandwidth bandwidth;  ///< of the memory that all of them share
};

/// Time of a sweep in the accelerator model, beside the reverse-acceleration model that `wavefront_time` is.
///
/// Statement: T = n (g / P + 2 v / B).
/// Symbols:   n cell-angles, g time of one on an accelerator, P accelerators, v bytes of a cell-angle that are moved
///            twice (in and out), B bandwidth of the memory.
/// Source:    pakin2009 Table 1 (inner I loop, no messages between accelerators, volume moved twice), Application
///            performance (transfers dominate: they are not hidden).
/// Range:     lines enough for all accelerators; the controller's own time is left out, so that the time is at least
///            this. P of at least 1 and a bandwidth above zero (std::logic_error). Terms:     `computing`, `transfers`.
/// Test:      tests/model/wavefront/test_closed_forms.cpp
Breakdown pushed_sweep_time(const PushedSweep& sweep);

}  // namespace narrows
