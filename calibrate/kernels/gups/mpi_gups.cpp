#include "calibrate/kernels/gups/process_gups.hpp"
#include "calibrate/kernels/messages/mpi_job.hpp"

namespace narrows {

GupsRun run_gups_under_mpi(const MpiJob& job, const GupsOptions& options,
                           const std::function<void(const std::string&)>& complain) {
    GupsRun run;
    const bool crowded = job.crowded();
    run_mpi_rank(
        job,
        [&](MpiEndpoint& endpoint, int /*process*/) {
            run = gups_with_others(options, endpoint, crowded);
            return std::string();
        },
        complain);
    return run;
}

}  // namespace narrows
