#pragma once

#include <functional>
#include <string>

#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/messages/mpi_job.hpp"

namespace narrows {

/// This process's part of a run under a launcher, with options that `checked` has returned and that are the same on
/// all: the first process returns what came of all, the others nothing. Any error ends the processes of all; `complain`
/// is called with what it was.
GupsRun run_gups_under_mpi(const MpiJob& job, const GupsOptions& options,
                           const std::function<void(const std::string&)>& complain);

}  // namespace narrows
