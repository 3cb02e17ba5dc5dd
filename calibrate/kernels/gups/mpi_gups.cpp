#include "calibrate/kernels/gups/mpi_gups.hpp"

#include "calibrate/kernels/gups/process_gups.hpp"
#include "calibrate/transport/mpi_endpoint.hpp"

namespace narrows {

GupsRun run_gups_under_mpi(const MpiJob& job, const GupsOptions& options,
                           const std::function<void(const std::string&)>& complain) {
    GupsRun run;
    const bool crowded = job.crowded();
    job.run(
        [&](MpiEndpoint& endpoint, int /*process*/) {
            run = gups_with_others(options, endpoint, crowded);
            return std::string();
        },
        complain);
    return run;
}

}  // namespace narrows
