#pragma once

#include <vector>

#include "calibrate/study/gups_fit.hpp"
#include "calibrate/study/sampling.hpp"
#include "calibrate/study/sweep_case.hpp"

namespace narrows {

/// The case as something to be timed. A sample's updates are cell-angles; where ranks take turns no rank
/// waits for another processor, so that its seconds are those of a copy.
StudyCase study_case(const SweepCase& what);

/// What the samples of `cases` say of Sweep3D here, each with its interval. Cases without samples are left out.
///
/// Statement: an iteration takes blocks start + rows row + cells cell + columns column for each number of angles and
///            scattering, and cells end, by weighted least squares over shapes; blocks, rows, cells and columns are
///            counted once an octant and block of angles. `flux` is what a cell of a large deck takes more. The ranks
///            of a processor take their blocks, turn a block and m + c bytes a message, by least squares over grids:
///            half of m is the sender's, half the receiver's. Between processors, with wavefront_time(h) what is
///            measured, h - m = (l + g bytes) d, all of it the receiver's: d is the distance of the cores beside a run,
///            l cache lines and g of a line for each byte; where distances are unknown d is 1 and both are times.
/// Symbols:   rows, cells, bytes of a block or message; times in seconds.
/// Source:    derived; the same formulas predict (`model/wavefront/workload.hpp`).
/// Range:     receiver-initiated messages, no fixups, decks of up to the largest flux measured.
/// Test:      tests/calibrate/test_sweep_fit.cpp (samples made from known costs)
std::vector<Parameter> fit_sweep3d(const std::vector<SweepCase>& cases, const std::vector<Sample>& samples,
                                   const FitOptions& options);

}  // namespace narrows
