#include <catch2/catch.hpp>

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

TEST_CASE("built without MPI: asking for it says how to get it") {
    CHECK_THROWS_AS(MpiJob(), InputError);
    CHECK_THROWS_WITH(MpiJob(),
                      "narrows was built without MPI: install one, such as libopenmpi-dev and "
                      "openmpi-bin, and build again with cmake -DNARROWS_MPI=ON");
}
