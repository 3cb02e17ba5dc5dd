// In place of mpi_sweep.cpp where no MPI was found: there is no job then.
#include "calibrate/kernels/sweep3d/mpi_sweep.hpp"

namespace narrows {

SweepRun run_sweep3d_under_mpi(const MpiJob& /*job*/, const SweepOptions& /*options*/,
                               const std::function<void(const std::string&)>& /*complain*/) {
    return {};
}

}  // namespace narrows
