// In place of mpi_job.cpp and mpi_endpoint.cpp where no MPI was found.
#include "calibrate/kernels/messages/mpi_job.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

MpiSession::MpiSession() {
    throw InputError(
        "narrows was built without MPI: install one, such as libopenmpi-dev and openmpi-bin, and build again with "
        "cmake -DNARROWS_MPI=ON");
}

MpiSession::~MpiSession() = default;

int MpiSession::rank() const {
    return 0;
}
int MpiSession::ranks() const {
    return 1;
}

MpiJob::MpiJob() = default;

void MpiJob::agree(const std::function<void()>& check) const {
    check();
}

void MpiJob::require_same(const Launch::Numbers& /*own*/) const {}

void MpiJob::require_same(const std::string& /*command*/) const {}

// NOLINTNEXTLINE(performance-unnecessary-value-param): kept by the one that there is with MPI
Launch MpiJob::launch(std::function<void(const std::string&)> /*complain*/) const {
    return {};
}

}  // namespace narrows
