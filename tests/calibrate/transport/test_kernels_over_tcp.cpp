#include "split_kernels.hpp"

using namespace narrows;

TEST_CASE("kernels over TCP and UDP: every code of RandomAccess makes every update, however ranks are split") {
    const Transport transport = GENERATE(Transport::tcp, Transport::udp);
    for (const GupsVariant variant : split_variants) {
        for (const auto& [processes, each] : {std::pair{2, 1}, std::pair{3, 1}, std::pair{2, 7}, std::pair{3, 4}}) {
            CAPTURE(static_cast<int>(variant), processes, each);
            const GupsOptions options = split_gups(variant, transport, processes, each);
            const GupsRun run = run_gups(options);
            check_split(run, options);
            CHECK(run.datagrams.has_value() == (transport == Transport::udp));
            if (run.datagrams) CHECK(run.datagrams->sent > 0);
        }
    }
}

TEST_CASE("kernels over TCP and UDP: messages of several updates, and exchanges by every protocol") {
    const Transport transport = GENERATE(Transport::tcp, Transport::udp);
    GupsOptions options = split_gups(GupsVariant::naive, transport, 3, 2);
    options.bucket = 40;
    check_split(run_gups(options), options);
    for (const Protocol protocol :
         {Protocol::rendezvous, Protocol::buffered, Protocol::receiver_initiated, Protocol::command_queue}) {
        CAPTURE(std::string(name_of(protocol)));
        options = split_gups(GupsVariant::exchanged, transport, 2, 3);
        options.protocol = protocol;
        check_split(run_gups(options), options);
    }
}

TEST_CASE("kernels over TCP: ranks on slower processors take the time that these cost") {
    for (const GupsVariant variant : {GupsVariant::naive, GupsVariant::bucketed, GupsVariant::routed}) {
        CAPTURE(static_cast<int>(variant));
        GupsOptions options = split_gups(variant, Transport::tcp, 2, 2);
        options.processor = {5e-6, 100e-6, 50e-6};
        const GupsRun run = run_gups(options);
        check_split(run, options);
        // Packets between the ranks of a process are charged too; a rank's processor has at least its own updates, and
        // the busiest of four has a quarter of all that is sent and received.
        const double each =
            static_cast<double>(options.updates) * 5e-6 + static_cast<double>(run.counters.packets) * 150e-6;
        CHECK(run.seconds > 0.9 * each / options.ranks);
    }
}

TEST_CASE("kernels over TCP: a slower processor is for codes that send packets between processes") {
    GupsOptions options = split_gups(GupsVariant::shmem, Transport::tcp, 2, 1);
    options.processor.update = 1e-6;
    CHECK_THROWS_WITH(run_gups(options), Catch::StartsWith("a slower processor is for the naive, bucketed and routed"));
    options = split_gups(GupsVariant::routed, Transport::shared, 2, 1);
    options.processor.send = 1e-6;
    CHECK_THROWS_WITH(run_gups(options), Catch::StartsWith("a slower processor is for the naive, bucketed and routed"));
}

TEST_CASE("kernels over TCP and UDP: a sweep is the same however its ranks are split") {
    const Transport transport = GENERATE(Transport::tcp, Transport::udp);
    for (const auto& [grid, each] : {std::pair{std::array{2, 3}, 1}, std::pair{std::array{2, 3}, 3},
                                     std::pair{std::array{3, 4}, 6}, std::pair{std::array{4, 5}, 4}}) {
        CAPTURE(grid[0], grid[1], each);
        const SweepOptions options = split_sweep(grid, transport, each);
        check_split(run_sweep3d(options), options);
    }
}

TEST_CASE("kernels over TCP: every collective brings what it has to, however ranks are split") {
    for (const MessageKernel kernel : split_collectives) {
        for (const Algorithm algorithm : split_algorithms(kernel)) {
            for (const auto& [processes, each] : {std::pair{2, 1}, std::pair{3, 1}, std::pair{2, 4}, std::pair{3, 2}}) {
                CAPTURE(std::string(name_of(kernel)), std::string(name_of(algorithm)), processes, each);
                const MessageOptions options = split_collective(kernel, algorithm, Transport::tcp, processes, each);
                check_split(measure_messages(options), options);
            }
        }
    }
}
