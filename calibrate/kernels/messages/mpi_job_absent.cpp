// In place of mpi_job.cpp where no MPI was found.
#include "calibrate/kernels/messages/mpi_job.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

struct MpiJob::State {};

MpiJob::MpiJob() {
    throw InputError(
        "narrows was built without MPI: install one, such as libopenmpi-dev and openmpi-bin, and "
        "build "
        "again with cmake -DNARROWS_MPI=ON");
}

MpiJob::~MpiJob() = default;

int MpiJob::rank() const {
    return 0;
}
int MpiJob::ranks() const {
    return 1;
}

void MpiJob::agree(const std::function<void()>& check) const {
    check();
}

void MpiJob::require_same(const Launch::Numbers& /*own*/) const {}

void MpiJob::require_same(const std::string& /*command*/) const {}

// NOLINTNEXTLINE(performance-unnecessary-value-param): kept by the one that there is with MPI
Launch MpiJob::launch(std::function<void(const std::string&)> /*complain*/) const {
    return {};
}

bool MpiJob::crowded() const {
    return false;
}

std::string MpiJob::run(const std::function<std::string(MpiEndpoint& endpoint, int rank)>& /*body*/,
                        const std::function<void(const std::string&)>& /*complain*/) const {
    return {};
}

}  // namespace narrows
