#include "calibrate/kernels/messages/mpi_job.hpp"

#include <utility>

#include "calibrate/kernels/messages/message_program.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

MpiJob::MpiJob() {
    if (ranks() > 1) return;
    throw InputError(
        "MPI knows of this rank only: start the ranks with a launcher, such as mpirun -n 2 narrows "
        "...");
}

void MpiJob::agree(const std::function<void()>& check) const {
    std::string own;
    try {
        check();
    } catch (const InputError& error) {
        own = error.what();
    }
    const std::string said = first_said(own);
    if (!said.empty()) throw InputError(said);
}

void MpiJob::require_same(const Launch::Numbers& own) const {
    const Launch::Numbers first = first_says(own);
    agree([&] {
        if (own == first) return;
        throw InputError("rank " + std::to_string(rank()) +
                         " was started with another command or other options than rank 0: give all ranks the same");
    });
}

void MpiJob::require_same(const std::string& command) const {
    require_same(Launch::Numbers(command.begin(), command.end()));
}

Launch MpiJob::launch(std::function<void(const std::string&)> complain) const {
    const RankPart part = [this, crowded = crowded(), complain = std::move(complain)](const MessageOptions& options,
                                                                                      const SamplePlan& plan) {
        const auto body = [&](MpiEndpoint& endpoint, int /*process*/) {
            return run_message_process(options, plan, endpoint, crowded);
        };
        return read_record(run_mpi_rank(*this, body, complain));
    };
    const auto measure = [this, part](const MessageOptions& options) {
        agree([&options] { check_messages(options); });
        require_same(shared_plan(options));
        return measure_part(options, rank(), part);
    };
    return {rank(), measure, [this](const Launch::Numbers& own) { return first_says(own); }};
}

}  // namespace narrows
