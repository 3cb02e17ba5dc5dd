#include "calibrate/kernels/gups/shmem_ranks.hpp"

namespace narrows {

void take_shmem_counters(GupsCounters& counters, const ShmemRanks& all) {
    std::uint64_t puts = 0, refused = 0, landed_max = 0, formed_max = 0;
    for (const ShmemRank& rank : all.ranks()) {
        puts += rank.puts;
        refused += rank.refused;
        landed_max = std::max(landed_max, rank.landed_max);
        formed_max = std::max(formed_max, rank.formed_max);
    }
    counters.packets = puts;
    counters.updates_per_packet = ratio(puts, puts);
    counters.hops_per_update = ratio(puts, counters.updates);
    counters.send_blocking_factor = ratio(refused, puts + refused);
    counters.held_max = static_cast<int>(formed_max);
    counters.packets_waiting_max = static_cast<int>(landed_max);
    counters.packets_in_transit = static_cast<int>(all.area().most_under_way());
    counters.pairs = std::ssize(all.ranks()) > 1 ? static_cast<int>(std::ssize(all.ranks())) - 1 : 0;
}

std::size_t shmem_memory(const GupsOptions& options) {
    const auto ranks = static_cast<std::size_t>(options.ranks);
    const std::size_t rank =
        LandingArea(options.ranks).words() * sizeof(Word) + ranks * sizeof(std::uint16_t) + CommandRing::bytes;
    return ranks * rank;
}

GupsRun run_shmem(const GupsOptions& options) {
    GupsRun run = begun_run(options);
    ShmemRanks ranks(options, 0, options.ranks);
    const RankOptions how = rank_options(options);
    const auto make = [&](SharedEndpoint& endpoint) {
        return std::make_unique<CommandQueue<SharedEndpoint>>(endpoint, how.layout,
                                                              ranks.area().words() * sizeof(Word));
    };
    take_times(run, run_shared(how, make, [&ranks](CommandQueue<SharedEndpoint>& queue, int rank, auto& waiter) {
                   ranks.run(queue, rank, waiter);
               }));
    take_shmem_counters(run.counters, ranks);
    verify(run, ranks.table(), options);
    return run;
}

}  // namespace narrows
