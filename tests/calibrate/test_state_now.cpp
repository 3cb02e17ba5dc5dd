#include <catch2/catch.hpp>
#include <cmath>
#include <utility>

#include "calibrate/measure/core_distance.hpp"
#include "calibrate/measure/environment.hpp"
#include "calibrate/study/state_now.hpp"

namespace narrows {
namespace {

Machine with_states(const std::vector<double>& distances, const std::string& host) {
    MeasuredResiduals measured;
    measured.name = "ping-pong-eager";
    measured.scales = {1};
    measured.spread = measured.noise = 0.1;
    for (const double distance : distances) {
        measured.states.push_back({std::log(distance)});
        measured.points.push_back({measured.states.back(), 0.1});
    }
    Machine machine;
    machine.environment = {{"host", host}};
    machine.residuals.emplace_back(measured);
    return machine;
}

TEST_CASE("the state now is measured on the machine that was calibrated alone, where it had several") {
    CHECK_FALSE(changes_here(Machine()));
    CHECK_FALSE(changes_here(with_states({30e-9, 200e-9}, host_name() + "x")));
    CHECK_FALSE(changes_here(with_states({30e-9, 40e-9}, host_name())));
    CHECK(changes_here(with_states({30e-9, 200e-9}, host_name())));
    CHECK_FALSE(state_now(with_states({30e-9, 200e-9}, host_name() + "x")));
    const Machine elsewhere = with_states({30e-9, 200e-9}, host_name() + "x");
    CHECK(as_it_is_now(elsewhere) == elsewhere);
    Machine of_more_cores = with_states({30e-9, 200e-9}, host_name());
    Parameter processors;
    processors.path = "node.processors";
    processors.measure.value = Cores().count() + 1;
    of_more_cores.parameters.push_back(processors);
    CHECK_FALSE(state_now(of_more_cores, 30));
}

TEST_CASE("a machine changes where a piece of work took different times too") {
    for (const auto& [slow, changes] : {std::pair(12.5e-3, true), std::pair(11e-3, false)}) {
        Machine machine = with_states({30e-9, 31e-9}, host_name());
        MeasuredResiduals measured = machine.residuals.front().measured();
        measured.scales = {1, 1};
        measured.states = {{std::log(30e-9), std::log(10e-3)}, {std::log(31e-9), std::log(slow)}};
        for (std::size_t i = 0; i < measured.points.size(); ++i) measured.points[i].at = measured.states[i];
        machine.residuals.front() = ResidualSurface(measured);
        CHECK(changes_here(machine) == changes);
    }
}

TEST_CASE("the state now is known unless cores are farther from each other than they ever were") {
    std::vector<double> met;  // each factor of 1.3 from a nanosecond to a second
    for (double distance = 1e-9; distance < 1; distance *= 1.3) met.push_back(distance);
    const Machine machine = with_states(met, host_name());
    const auto state = state_now(machine, 30);  // a sanitizer makes it longer
    CHECK(state.has_value() == (Cores().count() > 1));
    if (state) CHECK(state->back() > std::log(1e-4));  // of the piece of work
    if (state) CHECK(like_state(machine, *state).residuals.front().measured().states.size() < 4);
    CHECK_FALSE(state_now(with_states({1e-15, 1e-12}, host_name()), 30));
    CHECK(state_now(with_states({1, 100}, host_name()), 30).has_value() == (Cores().count() > 1));
}

TEST_CASE("a distance of cores that takes too long is given up") {
    const Cores cores;
    CHECK(core_distance(cores, 0) == 0);
    CHECK((core_distance(cores) > 1e-9) == (cores.count() > 1));
}

}  // namespace
}  // namespace narrows
