#include "model/program/computing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/demand/placement.hpp"
#include "model/demand/servers.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

Time operations(const Machine& machine, const PhaseWork& phase, double turns) {
    if (phase.compute.flops <= 0) return {};
    if (find(machine, "compute.flops") == nullptr) {
        throw InputError(fmt::format("phase '{}' has 'flops', but machine '{}' does not say how fast a processor "
                                     "computes: add 'compute: {{flops: 10 G/s}}' to its file, set "
                                     "compute.flops='10 G/s', or write the phase's 'time'",
                                     phase.name, machine.id))
            .of_setting("set");
    }
    return phase.compute.flops / rate_at(machine, "compute.flops") * turns;
}

// Of what a rank reads and writes, half each.
Time moving(const Machine& machine, const PhaseWork& phase, double turns, std::int64_t ranks_per_node) {
    constexpr Data line = bytes(64);
    if (phase.compute.memory <= 0) return {};
    const Data moved = bytes(phase.compute.memory);
    if (has(machine, "compute.memory")) {
        return curve_at(machine, "compute.memory").at(moved / 2 * turns) * (moved / line * turns);
    }
    if (const auto bandwidth = node_memory(machine)) return moved * static_cast<double>(ranks_per_node) / *bandwidth;
    throw InputError(fmt::format("phase '{}' has 'memory', but machine '{}' does not say its memory's bandwidth: add "
                                 "'node: {{memory: {{bandwidth: 20 GB/s}}}}' to its file, or set "
                                 "node.memory.bandwidth='20 GB/s'",
                                 phase.name, machine.id))
        .of_setting("set");
}

// By which operations and memory add: infinite where the longer hides the other, 1 where they follow each other.
double exponent_of(const Machine& machine) {
    constexpr double most = 2;
    if (find(machine, "compute.balanced") == nullptr) return std::numeric_limits<double>::infinity();
    return std::log(2.0) / std::log(std::clamp(number_at(machine, "compute.balanced"), 1.0, most));
}

// Of operations and memory, by the model alone.
struct Loops {
    Time flops, memory, both;
};

Loops loops_of(const Machine& machine, const PhaseWork& phase, std::int64_t ranks_per_node) {
    const double turns = turns_on_processors(machine, ranks_per_node);
    Loops loops{operations(machine, phase, turns), moving(machine, phase, turns, ranks_per_node), {}};
    const Time longer = std::max(loops.flops, loops.memory);
    const double exponent = exponent_of(machine);
    loops.both = longer;
    if (std::isinf(exponent) || longer == Time()) return loops;
    const double ratio = std::min(loops.flops, loops.memory) / longer;
    loops.both = longer * std::pow(1 + std::pow(ratio, exponent), 1 / exponent);
    return loops;
}

}  // namespace

TimePrediction computing_time(const Machine& machine, const PhaseWork& phase, std::int64_t ranks_per_node) {
    const Loops loops = loops_of(machine, phase, ranks_per_node);
    TimePrediction both =
        critical_path({loops.both, {{loops.memory > loops.flops ? "memory" : "compute", loops.both, loops.both}}});
    const ResidualSurface* const surface = residuals_named(machine, computing_residuals);
    if (surface != nullptr && both.time > Time() && !has_network(machine) && !machine.composed) {
        both = corrected(std::move(both), surface->beside(computing_variables(machine, phase, ranks_per_node)));
    }
    const Time fixed = seconds(phase.compute.seconds) * turns_on_processors(machine, ranks_per_node);
    SumOfTimes sum;
    sum.add(critical_path({fixed, {{"compute", fixed, fixed}}}));
    sum.add(both);
    return sum.take();
}

std::vector<ResidualVariable> computing_variables(const Machine& machine, const PhaseWork& phase,
                                                  std::int64_t ranks_per_node) {
    constexpr double least = 4096;  // below it the nearest cache holds all
    const Loops loops = loops_of(machine, phase, ranks_per_node);
    return {{{"bytes that a rank computes on", true, true}, least + phase.compute.memory / 2},
            {{"operations' part of computing"}, loops.flops / (loops.flops + loops.memory)},
            {{"seconds of computing", true}, loops.both.si()},
            {{"ranks of a node", true}, static_cast<double>(ranks_per_node)}};
}

}  // namespace narrows
