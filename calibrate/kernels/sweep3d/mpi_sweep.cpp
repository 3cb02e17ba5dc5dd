#include "calibrate/kernels/sweep3d/mpi_sweep.hpp"

#include "calibrate/kernels/sweep3d/process_sweep.hpp"
#include "calibrate/transport/mpi_endpoint.hpp"

namespace narrows {

SweepRun run_sweep3d_under_mpi(const MpiJob& job, const SweepOptions& options,
                               const std::function<void(const std::string&)>& complain) {
    const SweepPlan plan(options);
    std::vector<SweepRecord> records;
    job.run(
        [&](MpiEndpoint& endpoint, int /*process*/) {
            records = sweep_with_others(plan, endpoint, job.crowded());
            return std::string();
        },
        complain);
    return records.empty() ? SweepRun() : gathered_run(plan, records);
}

}  // namespace narrows
