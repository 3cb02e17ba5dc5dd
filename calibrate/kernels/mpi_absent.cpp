// In place of what needs MPI where none was found: there is no job then.
#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"

namespace narrows {

GupsRun run_gups_under_mpi(const MpiJob& /*job*/, const GupsOptions& /*options*/,
                           const std::function<void(const std::string&)>& /*complain*/) {
    return {};
}

SweepRun run_sweep3d_under_mpi(const MpiJob& /*job*/, const SweepOptions& /*options*/,
                               const std::function<void(const std::string&)>& /*complain*/) {
    return {};
}

}  // namespace narrows
