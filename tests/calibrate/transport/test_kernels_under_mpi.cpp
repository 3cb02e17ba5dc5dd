#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "split_kernels.hpp"
#include "test_job.hpp"

using namespace narrows;

TEST_CASE("kernels under MPI: every code of RandomAccess makes every update, however ranks are split", "[kernels]") {
    for (const GupsVariant variant : split_variants) {
        for (const int each : {1, 4}) {
            CAPTURE(static_cast<int>(variant), each);
            const GupsOptions options = checked(split_gups(variant, Transport::mpi, job().ranks(), each));
            const GupsRun run = run_gups_under_mpi(job(), options, complain);
            if (job().rank() == 0) check_split(run, options);
        }
    }
}

TEST_CASE("kernels under MPI: a sweep is the same however its ranks are split", "[kernels]") {
    for (const int each : {1, 3}) {
        CAPTURE(each);
        const SweepOptions options = checked(split_sweep({job().ranks(), each}, Transport::mpi, each));
        const SweepRun run = run_sweep3d_under_mpi(job(), options, complain);
        if (job().rank() == 0) check_split(run, options);
    }
}

TEST_CASE("kernels under MPI: every collective brings what it has to, however ranks are split", "[kernels]") {
    const Launch launch = job().launch(complain);
    for (const MessageKernel kernel : split_collectives) {
        for (const Algorithm algorithm : split_algorithms(kernel)) {
            for (const int each : {1, 3}) {
                CAPTURE(std::string(name_of(kernel)), std::string(name_of(algorithm)), each);
                const MessageOptions options = split_collective(kernel, algorithm, Transport::mpi, job().ranks(), each);
                const MessageRun run = launch.measure(options);
                if (job().rank() == 0) check_split(run, options);
            }
        }
    }
}
