#include "topologies/routes/uniform_loads.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>

#include "topologies/adjacency.hpp"
#include "topologies/routes/host_groups.hpp"
#include "topologies/threads.hpp"

namespace narrows {
namespace {

std::vector<double> uniform_demand(const Network& network) {
    std::vector<double> demand(network.vertices());
    if (network.hosts > 1) std::fill_n(demand.begin(), network.hosts, 1.0 / (network.hosts - 1));
    return demand;
}

/// One thread's share of the result.
struct Worker {
    ShortestSpread spread;
    std::vector<int> sources = {};

    Worker(const Adjacency& arcs, Split split, const std::vector<double>& demand) : spread(arcs, split, demand) {}
};

/// What all workers share.
struct Work {
    std::vector<std::vector<int>> groups;
    std::size_t threads = 1;
    std::atomic<bool> stopped = false;
};

/// Sends from groups `number`, `number` + threads, … until done or stopped; from the first in any case, so that too
/// many paths are found every time. Only the first, on the calling thread, asks `stop`.
void run(Worker& worker, std::size_t number, Work& work, const std::function<bool()>& stop) {
    try {
        std::size_t group = number;
        do {
            worker.spread.send(work.groups[group]);
            worker.sources.insert(worker.sources.end(), work.groups[group].begin(), work.groups[group].end());
            if (number == 0 && stop && stop()) work.stopped = true;
            group += work.threads;
        } while (group < work.groups.size() && !work.stopped);
    } catch (...) {
        work.stopped = true;
        throw;
    }
}

}  // namespace

LoadsOfSome uniform_loads_until(const Network& network, Split split, int threads, const std::function<bool()>& stop) {
    if (threads < 1) throw std::logic_error("uniform_shortest_loads: no thread");
    const Adjacency arcs(network);
    require_connected_hosts(network);
    Work work{host_groups(arcs, network.hosts, Lanes::count)};
    constexpr std::uint64_t any_seed = 1;
    std::shuffle(work.groups.begin(), work.groups.end(), std::mt19937_64(any_seed));
    work.threads = std::min(static_cast<std::size_t>(threads), work.groups.size());
    std::vector<std::unique_ptr<Worker>> workers;
    for (std::size_t i = 0; i < work.threads; ++i) {
        workers.push_back(std::make_unique<Worker>(arcs, split, uniform_demand(network)));
    }
    run_on(static_cast<int>(work.threads), [&](int number) { run(*workers[number], number, work, stop); });
    LoadsOfSome some{no_loads(network), {}};
    for (const auto& worker : workers) {
        add_loads(some.loads, loads_of_arcs(network, arcs, {}, worker->spread.loads()));
        some.sources.insert(some.sources.end(), worker->sources.begin(), worker->sources.end());
    }
    std::ranges::sort(some.sources);
    some.loads.demand = network.hosts > 1 ? static_cast<double>(some.sources.size()) : 0;
    return some;
}

std::optional<LinkLoads> uniform_shortest_loads(const Network& network, Split split, int threads,
                                                const std::function<bool()>& stop) {
    LoadsOfSome some = uniform_loads_until(network, split, threads, stop);
    if (std::ssize(some.sources) < network.hosts) return std::nullopt;
    return std::move(some.loads);
}

}  // namespace narrows
