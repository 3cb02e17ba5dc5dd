#include "calibrate/study/state_now.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "calibrate/measure/core_distance.hpp"
#include "calibrate/measure/environment.hpp"
#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/mapping.hpp"
#include "calibrate/study/sampling.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

bool is_this_host(const Machine& machine) {
    return std::ranges::find(machine.environment, std::pair<std::string, std::string>("host", host_name())) !=
           machine.environment.end();
}

// Whether a number of the states differs by more than this factor.
bool differs(const std::vector<std::vector<double>>& states, std::size_t number, double factor) {
    if (states.empty() || states.front().size() <= number) return false;
    const auto [least, most] = std::minmax_element(
        states.begin(), states.end(), [number](const auto& a, const auto& b) { return a[number] < b[number]; });
    return (*most)[number] - (*least)[number] > std::log(factor);
}

bool has_states_apart(const ResidualSurface& surface) {
    const auto& states = surface.measured().states;
    return differs(states, 0, alike_distance) || differs(states, 1, alike_work * alike_work);
}

// The longest distance of cores in the states that were met, and whether this one is like one of those.
struct MetDistances {
    double longest = 0;
    bool has_like = false;
};

MetDistances met_distances(const Machine& machine, double distance) {
    MetDistances met;
    for (const ResidualSurface& surface : machine.residuals) {
        for (const std::vector<double>& state : surface.measured().states) {
            met.longest = std::max(met.longest, std::exp(state.front()));
            met.has_like = met.has_like || std::abs(state.front() - std::log(distance)) < std::log(alike_distance);
        }
    }
    return met;
}

// One that was met, else the shortest of a few unless it is longer than all that were: others that use the cores make
// it longer. 0 where that is so, or it takes too long.
double own_distance(const Machine& machine, const Cores& cores, double within_seconds) {
    constexpr int times = 3;
    double shortest = std::numeric_limits<double>::infinity();
    for (int time = 0; time < times; ++time) {
        const double distance = core_distance(cores, within_seconds / times);
        if (distance <= 0) continue;
        if (met_distances(machine, distance).has_like) return distance;
        shortest = std::min(shortest, distance);
    }
    return shortest < met_distances(machine, shortest).longest ? shortest : 0;
}

bool has_like_work(const Machine& machine, double seconds) {
    const auto is_like = [seconds](const std::vector<double>& state) {
        return state.size() > 1 && std::abs(state[1] - std::log(seconds)) < std::log(alike_work);
    };
    return std::ranges::any_of(machine.residuals, [&](const ResidualSurface& surface) {
        return std::ranges::any_of(surface.measured().states, is_like);
    });
}

// What takes a core away for a moment makes one of two longer; a time that was met is none of those.
double own_work(const Machine& machine) {
    const double first = timed_work();
    return has_like_work(machine, first) ? first : std::min(first, timed_work());
}

// Whether the piece of work is that of its calibration, which is shared by as many cores as there are.
bool has_as_many_cores(const Machine& machine, const Cores& cores) {
    const Parameter* processors = find(machine, "node.processors");
    return processors == nullptr || processors->measure.value == cores.count();
}

}  // namespace

bool changes_here(const Machine& machine) {
    return is_this_host(machine) && std::ranges::any_of(machine.residuals, has_states_apart);
}

std::optional<std::vector<double>> state_now(const Machine& machine, double within_seconds) {
    if (!changes_here(machine)) return std::nullopt;
    const Cores cores;
    if (!has_as_many_cores(machine, cores)) return std::nullopt;
    const double distance = own_distance(machine, cores, within_seconds);
    if (distance <= 0) return std::nullopt;
    try {
        constexpr std::size_t memory_of_work = std::size_t{32} << 20;
        const KeptMemory memory(memory_of_work);  // its set-up takes longer than the work
        return std::vector{std::log(distance), std::log(own_work(machine))};
    } catch (const InputError&) {  // memory for it is lacking
        return std::nullopt;
    }
}

Machine as_it_is_now(const Machine& machine) {
    const auto state = state_now(machine);
    return state ? in_state_now(machine, *state) : machine;
}

}  // namespace narrows
