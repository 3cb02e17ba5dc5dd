#include "topologies/routes/uniform_loads.hpp"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

std::vector<double> uniform_demand(const Network& network) {
    std::vector<double> demand(network.vertices());
    if (network.hosts > 1) std::fill_n(demand.begin(), network.hosts, 1.0 / (network.hosts - 1));
    return demand;
}

void send_from(ShortestSpread& spread, int source, const std::vector<double>& demand) {
    if (!spread.send(source, demand)) {
        throw InputError(fmt::format("host {} cannot reach every other host: the network is in parts", source));
    }
}

/// One thread's share of the sources and of the result.
struct Worker {
    ShortestSpread spread;
    std::exception_ptr failure;

    Worker(const Adjacency& arcs, Split split) : spread(arcs, split) {}
};

/// What all workers share.
struct Work {
    int hosts = 0;
    int threads = 1;
    std::vector<double> demand;
    std::atomic<bool> stopped = false;
};

/// Sends from hosts `number`, `number` + threads, … until done or stopped; from the first in any case, so that the
/// same host is blamed every time.
void run(Worker& worker, int number, Work& work, const std::function<bool()>& stop) {
    try {
        int source = number;
        do {
            send_from(worker.spread, source, work.demand);
            if (stop && stop()) work.stopped = true;
            source += work.threads;
        } while (source < work.hosts && !work.stopped);
    } catch (...) {
        worker.failure = std::current_exception();
        work.stopped = true;
    }
}

/// The calling thread is worker 0, the only one that asks `stop`.
void run_all(std::vector<std::unique_ptr<Worker>>& workers, Work& work, const std::function<bool()>& stop) {
    const std::function<bool()> never;
    std::vector<std::jthread> others;
    for (int i = 1; i < work.threads; ++i) {
        others.emplace_back([&workers, &work, &never, i] { run(*workers[i], i, work, never); });
    }
    run(*workers[0], 0, work, stop);
}

}  // namespace

std::optional<LinkLoads> uniform_shortest_loads(const Network& network, Split split, int threads,
                                                const std::function<bool()>& stop) {
    if (threads < 1) throw std::logic_error("uniform_shortest_loads: no thread");
    const Adjacency arcs(network);
    Work work{network.hosts, std::min(threads, network.hosts), uniform_demand(network)};
    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < work.threads; ++i) workers.push_back(std::make_unique<Worker>(arcs, split));
    run_all(workers, work, stop);

    for (const auto& worker : workers) {
        if (worker->failure) std::rethrow_exception(worker->failure);
    }
    if (work.stopped) return std::nullopt;
    LinkLoads loads = no_loads(network);
    for (const auto& worker : workers) add_loads(loads, loads_of_arcs(network, arcs, {}, worker->spread.loads()));
    loads.demand = network.hosts > 1 ? network.hosts : 0;
    return loads;
}

LinkLoads uniform_shortest_loads(const Network& network, Split split, int threads) {
    return *uniform_shortest_loads(network, split, threads, {});
}

LinkLoads uniform_loads_from(const Network& network, Split split, int source) {
    if (source < 0 || source >= network.hosts) throw std::logic_error("uniform_loads_from: not a host");
    const Adjacency arcs(network);
    ShortestSpread spread(arcs, split);
    send_from(spread, source, uniform_demand(network));
    LinkLoads loads = loads_of_arcs(network, arcs, {}, spread.loads());
    loads.demand = network.hosts > 1 ? 1 : 0;
    return loads;
}

}  // namespace narrows
