#include <benchmark/benchmark.h>

#include "model/wavefront/closed_forms.hpp"
#include "model/wavefront/recurrence.hpp"

// What a prediction of Sweep3D costs at the size of all of Roadrunner: 97,920 ranks, 320 blocks.
namespace {

using namespace narrows;

Wavefront full_machine() {
    Wavefront wavefront;
    wavefront.cells = {even_parts(5 * 320, 320), even_parts(5 * 306, 306)};
    wavefront.blocks = 40;
    wavefront.cell = seconds(2.4e-6);
    wavefront.levels = {16};
    wavefront.hop = [](SweepAxis, int, std::size_t level) {
        HopCost cost;
        cost.synchronous = true;
        cost.send = seconds(0.6e-6);
        cost.latency = cost.request = seconds(level == 0 ? 0.1e-6 : 6e-6);
        return cost;
    };
    return wavefront;
}

void ideal(benchmark::State& state) {
    const Wavefront wavefront = full_machine();
    for (auto _ : state) benchmark::DoNotOptimize(wavefront_ideal_time(wavefront));
}
BENCHMARK(ideal)->Unit(benchmark::kMillisecond);

void synchronous(benchmark::State& state) {
    const Wavefront wavefront = full_machine();
    for (auto _ : state) benchmark::DoNotOptimize(wavefront_time(wavefront));
}
BENCHMARK(synchronous)->Unit(benchmark::kMillisecond);

void gateways(benchmark::State& state) {
    Wavefront wavefront = full_machine();
    wavefront.gateways = {8, seconds(29e-6), std::nullopt, seconds(3e-6)};
    for (auto _ : state) benchmark::DoNotOptimize(wavefront_time(wavefront));
}
BENCHMARK(gateways)->Unit(benchmark::kMillisecond);

void breakdown(benchmark::State& state) {
    Wavefront wavefront = full_machine();
    wavefront.gateways = {8, seconds(29e-6), std::nullopt, seconds(3e-6)};
    for (auto _ : state) benchmark::DoNotOptimize(wavefront_breakdown(wavefront));
}
BENCHMARK(breakdown)->Unit(benchmark::kMillisecond);

void closed_form(benchmark::State& state) {
    const SweepMessage message = {seconds(1e-6), seconds(1e-6), seconds(5e-6)};
    const SweepCost cost = {seconds(60e-6), message, message};
    SweepGrid grid = {320, 306, 40};
    for (auto _ : state) {
        benchmark::DoNotOptimize(grid);
        benchmark::DoNotOptimize(plug_and_play_time(grid, cost));
    }
}
BENCHMARK(closed_form);

}  // namespace
