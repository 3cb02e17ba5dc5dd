#include "calibrate/study/state_now.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibrate/measure/core_distance.hpp"
#include "calibrate/measure/environment.hpp"
#include "calibrate/ranks/cores.hpp"

namespace narrows {
namespace {

bool is_this_host(const Machine& machine) {
    return std::find(machine.environment.begin(), machine.environment.end(),
                     std::pair<std::string, std::string>("host", host_name())) != machine.environment.end();
}

bool has_states_apart(const ResidualSurface& surface) {
    const auto& states = surface.measured().states;
    const auto [least, most] = std::minmax_element(states.begin(), states.end());  // by their distances
    return !states.empty() && most->front() - least->front() > std::log(alike_distance);
}

bool was_met(const Machine& machine, double distance) {
    return std::any_of(machine.residuals.begin(), machine.residuals.end(), [distance](const ResidualSurface& surface) {
        const auto& states = surface.measured().states;
        return std::any_of(states.begin(), states.end(), [distance](const std::vector<double>& state) {
            return std::abs(state.front() - std::log(distance)) < std::log(alike_distance);
        });
    });
}

}  // namespace

bool changes_here(const Machine& machine) {
    return is_this_host(machine) && std::any_of(machine.residuals.begin(), machine.residuals.end(), has_states_apart);
}

std::optional<double> distance_now(const Machine& machine) {
    constexpr double most_seconds = 0.05;
    if (!changes_here(machine)) return std::nullopt;
    constexpr int most_times = 3;  // what disturbs one makes it longer
    for (int time = 0; time < most_times; ++time) {
        const double distance = core_distance(Cores(), most_seconds / most_times);
        if (distance > 0 && was_met(machine, distance)) return distance;
    }
    return std::nullopt;
}

Machine as_it_is_now(const Machine& machine) {
    const auto distance = distance_now(machine);
    return distance ? at_distance(machine, *distance) : machine;
}

}  // namespace narrows
