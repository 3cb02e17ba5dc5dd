#include <benchmark/benchmark.h>

#include "model/gups/naive.hpp"
#include "model/gups/routed.hpp"
#include "topologies/topology.hpp"

// How many RandomAccess predictions the library evaluates a second on one core: formulas on inputs that are at hand,
// with every bound and term. The network's cut is evaluated anew in the third.

namespace narrows {
namespace {

NetworkShare torus(double phi) {
    return {65536, phi, Bandwidth(175e6)};
}

NaiveGups naive_inputs() {
    NaiveGups inputs;
    inputs.ranks = inputs.workers = 65536;
    inputs.update = seconds(149e-9);
    inputs.send = seconds(2206e-9);
    inputs.receive = seconds(1816e-9);
    inputs.other = seconds(97e-9);
    inputs.bytes = bytes(78);
    inputs.network = torus(1.0 / 2097152);
    return inputs;
}

void naive(benchmark::State& state) {
    NaiveGups inputs = naive_inputs();
    for (auto _ : state) {
        inputs.workers += 1;
        benchmark::DoNotOptimize(naive_gups(inputs).rate);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(naive);

void routed(benchmark::State& state) {
    RoutedGups inputs;
    inputs.workers = 65536;
    inputs.hops = 2.92;
    inputs.updates_per_packet = 5;
    inputs.update = seconds(149e-9);
    inputs.per_update = seconds(135e-9);
    inputs.per_packet = seconds(997e-9);
    inputs.bytes = bytes(15.6);
    inputs.network = torus(1.0 / 2097152);
    for (auto _ : state) {
        inputs.workers += 1;
        benchmark::DoNotOptimize(routed_gups(inputs).rate);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(routed);

void naive_with_cut(benchmark::State& state) {
    NaiveGups inputs = naive_inputs();
    const Topology network = parse_topology("torus 64x32x32");
    for (auto _ : state) {
        inputs.workers += 1;
        inputs.network = torus(network.phi_value());
        benchmark::DoNotOptimize(naive_gups(inputs).rate);
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(naive_with_cut);

}  // namespace
}  // namespace narrows
