#include <catch2/catch.hpp>
#include <cmath>

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
    CHECK_FALSE(distance_now(with_states({30e-9, 200e-9}, host_name() + "x")));
    const Machine elsewhere = with_states({30e-9, 200e-9}, host_name() + "x");
    CHECK(as_it_is_now(elsewhere) == elsewhere);
}

TEST_CASE("the state now is one that was met, else it is not known") {
    std::vector<double> met;  // each factor of 1.3 from a nanosecond to a second
    for (double distance = 1e-9; distance < 1; distance *= 1.3) met.push_back(distance);
    const Machine machine = with_states(met, host_name());
    const auto distance = distance_now(machine);
    CHECK(distance.has_value() == (Cores().count() > 1));
    if (distance) CHECK(as_it_is_now(machine).residuals.front().measured().states.size() < 4);
    CHECK_FALSE(distance_now(with_states({1e-12, 1e3}, host_name())));
}

TEST_CASE("a distance of cores that takes too long is given up") {
    const Cores cores;
    CHECK(core_distance(cores, 0) == 0);
    CHECK((core_distance(cores) > 1e-9) == (cores.count() > 1));
}

}  // namespace
}  // namespace narrows
