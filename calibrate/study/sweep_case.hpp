#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "calibrate/study/gups_case.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {

/// What a run of Sweep3D tells: what a block costs by its shape, what its flux costs beyond the nearest cache, what a
/// message costs between ranks that take turns on a processor, and between processors.
enum class SweepRole { block, flux, turns, between };

/// One configuration of the kernel that calibration runs again and again, with receiver-initiated messages. Ranks on
/// one processor run as copies of the whole problem, one on each, so that all processors are at work.
struct SweepCase {
    SweepRole role = SweepRole::block;
    SweepOptions options;

    /// The configuration in words: the same case has the same name in every session.
    std::string name() const;
    /// Of an iteration of one copy.
    double cell_angles() const;
    SweepQuery query() const;
};

/// The case of that name; none for other words.
std::optional<SweepCase> sweep_case_named(const std::string& name);

/// Every case of a calibration, for `workers` cores.
std::vector<SweepCase> sweep_cases(Effort effort, int workers);

/// Runs that no fit sees, from 2x1 to 16x16 ranks on `workers` cores: the benchmark's deck of 50x50x50 cells, and
/// blocks of half of the angles of another deck. Grids of more than `most_ranks` are left out.
std::vector<SweepCase> sweep_validation_cases(int workers, int most_ranks);

}  // namespace narrows
