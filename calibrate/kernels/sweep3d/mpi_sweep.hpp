#pragma once

#include <functional>
#include <string>

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"

namespace narrows {

/// Runs it on the ranks of a job that a launcher of MPI started, which call this together with options that `checked`
/// returned. Rank 0 gets the run; the others get an empty one. An error ends the processes of all ranks; `complain` is
/// called with what it was on the rank that has it.
SweepRun run_sweep3d_under_mpi(const MpiJob& job, const SweepOptions& options,
                               const std::function<void(const std::string&)>& complain);

}  // namespace narrows
