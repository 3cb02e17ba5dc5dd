#include <catch2/catch.hpp>
#include <cmath>
#include <thread>

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
    CHECK_FALSE(distance_now(Machine()));
    CHECK_FALSE(distance_now(with_states({30e-9, 200e-9}, host_name() + "x")));
    CHECK_FALSE(distance_now(with_states({30e-9, 40e-9}, host_name())));
    const Machine apart = with_states({30e-9, 200e-9}, host_name());
    const auto distance = distance_now(apart);
    if (distance) {
        CHECK(*distance > 1e-9);
        CHECK(*distance < 1e-4);
    }
    CHECK(as_it_is_now(with_states({30e-9, 200e-9}, "elsewhere")) == with_states({30e-9, 200e-9}, "elsewhere"));
}

TEST_CASE("a distance of cores that takes too long is given up") {
    const Cores cores;
    if (cores.count() < 2) return;
    CHECK(core_distance(cores, 0) == 0);
    CHECK(core_distance(cores) > 1e-9);
}

}  // namespace
}  // namespace narrows
