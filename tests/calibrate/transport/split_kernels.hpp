#pragma once

#include <catch2/catch.hpp>
#include <vector>

#include "calibrate/kernels/gups/gups.hpp"
#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/sweep3d/sweep3d.hpp"

namespace narrows {

inline constexpr GupsVariant split_variants[] = {GupsVariant::naive, GupsVariant::routed, GupsVariant::bucketed,
                                                 GupsVariant::exchanged, GupsVariant::shmem};

/// RandomAccess of that code on so many processes, each of which has so many ranks.
inline GupsOptions split_gups(GupsVariant variant, Transport transport, int processes, int ranks_per_process) {
    GupsOptions options{.variant = variant,
                        .ranks = processes * ranks_per_process,
                        .transport = transport,
                        .ranks_per_process = ranks_per_process};
    // A second dimension, so that updates are passed on between processes.
    if (variant == GupsVariant::routed && ranks_per_process > 1) options.shape = {ranks_per_process, processes};
    options.table_words = std::uint64_t{1} << 12;
    options.updates = std::uint64_t{1} << 14;
    return options;
}

/// That every update was made, once.
inline void check_split(const GupsRun& run, const GupsOptions& options) {
    CHECK(run.ranks == options.ranks);
    CHECK(run.verified);
    CHECK(run.errors == 0);
    CHECK(run.counters.updates == options.updates);
    CHECK(run.seconds > 0);
}

/// A sweep on a grid of which a process has so many ranks.
inline SweepOptions split_sweep(std::array<int, 2> grid, Transport transport, int ranks_per_process) {
    SweepOptions options;
    options.grid = grid;
    options.transport = transport;
    options.ranks_per_process = ranks_per_process;
    options.problem.cells = {9, 12, 6};
    options.problem.iterations = 4;
    options.problem.fixups_after = 1;
    options.planes = 3;
    return options;
}

/// That its physics are those of one rank.
inline void check_split(const SweepRun& run, SweepOptions options) {
    options.grid = {1, 1};
    options.transport = Transport::shared;
    options.ranks_per_process = 1;
    const SweepRun alone = run_sweep3d(options);
    REQUIRE(run.iterations.size() == alone.iterations.size());
    for (std::size_t i = 0; i < run.iterations.size(); ++i) {
        CHECK(std::abs(run.iterations[i].error - alone.iterations[i].error) < 1e-11);
        CHECK(run.iterations[i].fixed == alone.iterations[i].fixed);
    }
    CHECK(std::abs(run.balance.absorption - alone.balance.absorption) < 1e-11);
    for (std::size_t face = 0; face < 6; ++face) {
        CHECK(std::abs(run.balance.leakage[face] - alone.balance.leakage[face]) < 1e-11);
    }
    CHECK(run.errors() == 0);
}

inline constexpr MessageKernel split_collectives[] = {MessageKernel::allreduce,      MessageKernel::all_to_all,
                                                      MessageKernel::broadcast,      MessageKernel::allgather,
                                                      MessageKernel::reduce_scatter, MessageKernel::barrier};

/// The algorithms of a collective that need no memory in common.
inline std::vector<Algorithm> split_algorithms(MessageKernel kernel) {
    std::vector<Algorithm> algorithms = algorithms_of(kernel);
    std::erase(algorithms, Algorithm::node_shared);
    return algorithms;
}

/// A collective on so many processes, each of which has so many ranks.
inline MessageOptions split_collective(MessageKernel kernel, Algorithm algorithm, Transport transport, int processes,
                                       int ranks_per_process) {
    MessageOptions options{.kernel = kernel, .algorithm = algorithm};
    if (goes_by_nodes(algorithm)) options.node_ranks = 2;
    options.transport = transport;
    options.ranks = processes * ranks_per_process;
    options.ranks_per_process = ranks_per_process;
    options.sizes = {8, 4104};
    if (kernel == MessageKernel::barrier) options.sizes = {0};
    options.repeats = 2;
    options.messages = 8;
    return options;
}

/// That what came is right on every rank.
inline void check_split(const MessageRun& run, const MessageOptions& options) {
    CHECK(run.ranks == options.ranks);
    CHECK(run.verified == true);
    CHECK(run.errors == 0);
    REQUIRE(run.points.size() == options.sizes.size());
    for (const MessagePoint& point : run.points) CHECK(point.seconds.value > 0);
}

}  // namespace narrows
