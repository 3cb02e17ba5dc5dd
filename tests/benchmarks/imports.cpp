// How fast large files are read. Run by hand: build/release/bench_imports.
#include <benchmark/benchmark.h>

#include <string>

#include "tests/topologies/import_samples.hpp"
#include "topologies/exporters/export.hpp"
#include "topologies/topology.hpp"

namespace {

using namespace narrows;

void read(benchmark::State& state, const std::string& text) {
    std::size_t links = 0;
    for (auto _ : state) {
        const LabelledNetwork network = import_network(text, "benchmark");
        links = network.network.edges.size();
        benchmark::DoNotOptimize(network.network.edges.data());
    }
    state.counters["links"] = static_cast<double>(links);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
}

/// 11,664 hosts, 1,620 switches of 36 ports.
void ibnetdiscover(benchmark::State& state) {
    read(state, testing::fat_tree_ibnetdiscover(36, "4xHDR"));
}

void edge_list(benchmark::State& state) {
    read(state, export_network(number_vertices(parse_topology("torus 64x32x32").graph()), "edge-list"));
}

void dot(benchmark::State& state) {
    read(state, export_network(number_vertices(parse_topology("torus 64x32x32").graph()), "dot"));
}

void graphml(benchmark::State& state) {
    read(state, export_network(number_vertices(parse_topology("torus 64x32x32").graph()), "graphml"));
}

BENCHMARK(ibnetdiscover)->Unit(benchmark::kMillisecond);
BENCHMARK(edge_list)->Unit(benchmark::kMillisecond);
BENCHMARK(dot)->Unit(benchmark::kMillisecond);
BENCHMARK(graphml)->Unit(benchmark::kMillisecond);

}  // namespace
