#include "calibrate/study/processor_pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/program/program_ranks.hpp"

namespace narrows {
namespace {

// A step of ranks that only compute this, one a core: the time of the slowest.
OrderEstimate seconds_of(const RankWork& work, double steps, int ranks, int workers) {
    PhaseWork phase;
    phase.name = "pace";
    phase.compute = work;
    phase.repeat = steps;
    MessageOptions options;
    options.kernel = MessageKernel::program;
    options.ranks = ranks;
    options.workers = workers;
    options.program = program_ranks({phase}, ranks);
    options.sizes = {0};
    options.messages = 1;
    options.repeats = 5;
    OrderEstimate seconds = measure_messages(options).points.front().seconds;
    for (double* each : {&seconds.value, &seconds.low, &seconds.high}) *each /= steps;
    return seconds;
}

Parameter calibrated(const std::string& path, double value, double low, double high, Dimension dimension,
                     const char* unit) {
    Parameter parameter;
    parameter.path = path;
    parameter.measure = {value, dimension, unit};
    parameter.source = "calibrated";
    parameter.interval = Interval{low, high};
    return parameter;
}

}  // namespace

std::vector<Parameter> processor_pace(int workers) {
    constexpr double flops = 4e8;
    constexpr double line = 64;
    constexpr double kibi = 1024;
    constexpr double moved = 1e8;
    const int ranks = std::max(2, workers);
    const double turns = static_cast<double>(ranks) / workers;
    const OrderEstimate computing = seconds_of({0, flops, 0}, 1, ranks, workers);
    const double work = flops * turns;
    std::vector<Parameter> found = {calibrated("compute.flops", work / computing.value, work / computing.high,
                                               work / computing.low, Dimension::frequency, "G/s")};
    std::vector<double> ratios;
    for (const int size : {16, 256, 1024, 4096, 8192, 16384, 32768, 65536}) {  // KiB that a processor works on
        const double bytes = 2 * kibi * size;                                  // read and written
        const OrderEstimate moving =
            seconds_of({0, 0, bytes}, std::max(1.0, std::floor(moved / bytes)), ranks, workers);
        const double lines = bytes / line * turns;
        found.push_back(calibrated(fmt::format("compute.memory.{} KiB", size), moving.value / lines, moving.low / lines,
                                   moving.high / lines, Dimension::time, "ns"));
        const double balanced_flops = moving.value / computing.value * flops;
        const OrderEstimate both =
            seconds_of({0, balanced_flops, bytes}, std::max(1.0, std::floor(moved / bytes)), ranks, workers);
        ratios.push_back(std::clamp(both.value / moving.value, 1.0, 2.0));
    }
    std::sort(ratios.begin(), ratios.end());
    found.push_back(calibrated("compute.balanced", ratios[ratios.size() / 2], ratios.front(), ratios.back(),
                               Dimension::number, ""));
    return found;
}

}  // namespace narrows
