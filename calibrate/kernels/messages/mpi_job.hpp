#pragma once

#include <functional>
#include <string>

#include "calibrate/kernels/messages/launch.hpp"
#include "calibrate/transport/mpi_endpoint.hpp"

namespace narrows {

/// This process's part in a job that a launcher of MPI started, one rank a process. Who uses it sees nothing of MPI,
/// and a build without MPI has it too. MPI starts when it is made and ends with it; one in a program.
class MpiJob : public MpiSession {
  public:
    /// Throws InputError when narrows was built without MPI, or when this is the only rank; TransportError when MPI
    /// does not start.
    MpiJob();

    /// Runs `check` on all ranks, which call this together. When it throws InputError on any of them, every rank throws
    /// that of the lowest, so that none waits for one that gave up.
    void agree(const std::function<void()>& check) const;

    /// InputError on all ranks, which call this together, when one has other numbers than rank 0.
    void require_same(const Launch::Numbers& own) const;
    /// The same of the command that they run: what all do first, as each command goes on in its own way.
    void require_same(const std::string& command) const;

    /// This rank's part in measurements of `ranks()` ranks; the job is to outlive it. Options that cannot be on any of
    /// them, or are not the same on all, are InputError on all. Any other error ends the processes of all ranks;
    /// `complain` is called with what it was on the rank that has it.
    Launch launch(std::function<void(const std::string&)> complain) const;
};

}  // namespace narrows
