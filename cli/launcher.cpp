#include "cli/launcher.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "topologies/input_error.hpp"

namespace narrows {

void require_no_launcher() {
    // What Open MPI, those with Hydra or another PMI, and Slurm's steps tell each process.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        const char* value = std::getenv(name);
        const int started = value == nullptr ? 1 : std::atoi(value);
        if (started < 2) continue;
        throw InputError(
            fmt::format("a launcher started {} of these ({}), and each would measure by itself: add --transport mpi "
                        "where the command has it, or start one",
                        started, name));
    }
}

}  // namespace narrows
