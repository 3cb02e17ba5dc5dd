#pragma once

#include <functional>
#include <memory>
#include <string>

#include "calibrate/kernels/messages/measure.hpp"

namespace narrows {

class MpiEndpoint;

/// This process's part in a job that a launcher of MPI started, one rank a process. Who uses it sees nothing of MPI,
/// and a build without MPI has it too. MPI starts when it is made and ends with it; one in a program.
class MpiJob {
  public:
    /// Throws InputError when narrows was built without MPI, or when this is the only rank; TransportError when MPI
    /// does not start.
    MpiJob();
    ~MpiJob();
    MpiJob(const MpiJob&) = delete;
    MpiJob& operator=(const MpiJob&) = delete;

    int rank() const;
    int ranks() const;

    /// Runs `check` on all ranks, which call this together. When it throws InputError on any of them, every rank throws
    /// that of the lowest, so that none waits for one that gave up.
    void agree(const std::function<void()>& check) const;

    /// What rank 0 says, on all ranks, which call this together.
    bool first_says(bool own) const;

    /// What this rank does in a measurement of `ranks()` ranks, all together. An error ends the processes of all ranks;
    /// `complain` is called with what it was on the rank that has it.
    RankPart part(std::function<void(const std::string&)> complain) const;

    /// Whether ranks outnumber the cores of their host.
    bool crowded() const;

    /// Runs `body` on this rank, as all others do theirs, and returns what it returned. Errors as those of `part`.
    std::string run(const std::function<std::string(MpiEndpoint& endpoint, int rank)>& body,
                    const std::function<void(const std::string&)>& complain) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace narrows
