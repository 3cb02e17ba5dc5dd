#include <benchmark/benchmark.h>

#include "topologies/routes/uniform_loads.hpp"
#include "topologies/topology.hpp"

// Processor time of the loads of uniform traffic on shortest paths, from every host of a cubic torus that is given by
// nothing but its edges.

namespace narrows {
namespace {

void uniform_loads(benchmark::State& state, const char* spec, Split split) {
    const Network network = parse_topology(spec).graph();
    for (auto _ : state) benchmark::DoNotOptimize(uniform_shortest_loads(network, split).value().demand);
    const auto arcs = static_cast<std::int64_t>(2 * network.edges.size());
    state.SetItemsProcessed(state.iterations() * network.hosts * arcs);
    state.SetLabel("items are ends of links a source");
}
BENCHMARK_CAPTURE(uniform_loads, torus_16_by_hop, "torus 16x16x16", Split::by_hop)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(uniform_loads, torus_16_by_paths, "torus 16x16x16", Split::by_paths)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(uniform_loads, torus_32_by_hop, "torus 32x32x32", Split::by_hop)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace narrows
