#pragma once

#include <nlohmann/json.hpp>

#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "cli/document.hpp"

namespace narrows {

/// What a run of Sweep3D found, as JSON (design, "JSON"). Of a run with a virtual clock, what only the machine's file
/// knows is null.
nlohmann::ordered_json sweep_json(const SweepOptions& options, const SweepRun& run);

/// Error and fixups of each iteration.
Table sweep_iterations(const SweepRun& run);

/// A run on this machine: its time, iterations and balance.
Document sweep_document(const SweepOptions& options, const SweepRun& run);

}  // namespace narrows
