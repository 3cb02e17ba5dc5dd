#include "cli/launched_run.hpp"

#include "calibrate/kernels/messages/mpi_job.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

int run_under_mpi(const OptionsOfRanks& options_of, const Report& report, std::ostream& err) {
    const MpiJob job;
    try {
        MessageOptions options;
        job.agree([&] {
            options = options_of(job.ranks());
            check_messages(options);
        });
        const auto complain = [&err](const std::string& what) { err << "narrows: " << what << std::endl; };
        const MessageRun run = measure_part(options, job.rank(), job.part(complain));
        return job.rank() == 0 ? report(options, run) : 0;
    } catch (const InputError&) {
        if (job.rank() == 0) throw;
        return 2;
    }
}

}  // namespace narrows
