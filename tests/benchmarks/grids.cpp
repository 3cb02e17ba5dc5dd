#include <benchmark/benchmark.h>

#include <atomic>
#include <thread>

#include "data/library.hpp"
#include "model/explore/grid.hpp"
#include "model/gups/workload.hpp"
#include "model/messages/workload.hpp"
#include "model/path/protocol.hpp"

// How long a grid of 10^6 predictions takes on all processors, as `sweep` makes them but without their rows: with the
// intervals of the machine's file where it has some. Items are predictions.

namespace narrows {
namespace {

constexpr std::int64_t side = 1000;

// A grid of two factors from 1/2 to 8, of the link's bandwidth and of its latency.
Grid grid_of(const Machine& machine, const OutcomeOf& outcome) {
    std::vector<std::pair<std::size_t, Parameter>> varied;
    for (std::size_t i = 0; i < machine.parameters.size(); ++i) {
        const std::string& path = machine.parameters[i].path;
        if (path == "network.link.bandwidth" || path == "network.link.latency") {
            varied.emplace_back(i, machine.parameters[i]);
        }
    }
    Grid grid;
    grid.costs = side * side;
    grid.plan = [machine, outcome](std::int64_t) { return Plan{machine, outcome}; };
    grid.put = [varied](Machine& changed, std::int64_t number) {
        for (const auto& [place, usual] : varied) {
            const double factor = 0.5 + 7.5 * static_cast<double>(number % side) / (side - 1);
            changed.parameters[place].measure.value = usual.measure.value * factor;
            number /= side;
        }
    };
    grid.tell_error = [](const GridPoint&, const InputError& error, std::string&) { throw error; };
    grid.write = [](const std::string&) { return true; };
    return grid;
}

void run_grid(benchmark::State& state, const Machine& machine, const OutcomeOf& outcome) {
    Grid grid = grid_of(machine, outcome);
    std::atomic<std::int64_t> predicted = 0;
    grid.tell = [&predicted](const GridPoint&, const Outcome& found, std::string&) {
        if (found.value > 0) predicted.fetch_add(1, std::memory_order_relaxed);
    };
    const auto threads = static_cast<int>(std::thread::hardware_concurrency());
    for (auto _ : state) predict_grid(grid, threads);
    if (predicted != state.iterations() * side * side) state.SkipWithError("a prediction is missing");
    state.SetItemsProcessed(predicted);
}

void gups(benchmark::State& state, const char* name, GupsCode variant) {
    const Machine machine = with_protocols_found(load_machine(name));
    GupsQuery query{.variant = variant, .nodes = 4096};
    run_grid(state, machine, [query, job = gups_job(machine, query)](const Machine& changed) {
        return outcome_of(predict_gups(changed, query, job));
    });
}
BENCHMARK_CAPTURE(gups, naive, "bluegene-l", GupsCode::naive)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(gups, routed, "bluegene-l", GupsCode::routed)->Unit(benchmark::kMillisecond)->UseRealTime();

void ping_pong(benchmark::State& state) {
    const Machine machine = with_protocols_found(load_machine("cluster-400g"));
    MessageQuery query{.protocol = "mpi", .payload = bytes(8)};
    run_grid(state, machine, [query, loads = ping_pong_loads(machine, query)](const Machine& changed) {
        return outcome_of(predict_ping_pong(changed, query, loads));
    });
}
BENCHMARK(ping_pong)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace narrows
