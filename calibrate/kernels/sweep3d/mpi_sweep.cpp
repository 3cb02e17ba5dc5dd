#include "calibrate/kernels/messages/mpi_job.hpp"
#include "calibrate/kernels/sweep3d/process_sweep.hpp"

namespace narrows {

SweepRun run_sweep3d_under_mpi(const MpiJob& job, const SweepOptions& options,
                               const std::function<void(const std::string&)>& complain) {
    const SweepPlan plan(options);
    SweepRun run;
    run_mpi_rank(
        job,
        [&](MpiEndpoint& endpoint, int /*process*/) {
            run = sweep_with_others(plan, endpoint, job.crowded());
            return std::string();
        },
        complain);
    return run;
}

}  // namespace narrows
