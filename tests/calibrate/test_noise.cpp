#include <catch2/catch.hpp>

#include "calibrate/measure/environment.hpp"
#include "calibrate/measure/noise.hpp"

namespace narrows {
namespace {

TEST_CASE("a probe that saw nothing is no evidence") {
    CHECK(evidence_of_noise(CoreProbe{}).empty());
}

TEST_CASE("each sign of a neighbour is named with its number") {
    CoreProbe shared;
    shared.together = 0.5;
    CHECK(evidence_of_noise(shared) ==
          std::vector<std::string>{
              "with all cores at work a core runs at 50 % of its speed alone (at least 92 % expected): "
              "something else uses them"});
    CoreProbe robbed;
    robbed.processor_share = 0.8;
    CHECK(evidence_of_noise(robbed) ==
          std::vector<std::string>{"a thread that never waits had its core for 80 % of the time"});
    CoreProbe unsteady;
    unsteady.unsteadiness = 0.4;
    CHECK(evidence_of_noise(unsteady).size() == 1);
    CoreProbe switched;
    switched.involuntary_switches = 500;
    switched.seconds = 1;
    CHECK(evidence_of_noise(switched).size() == 1);
    CoreProbe uneven;
    uneven.slowest_alone = 0.7;
    CHECK(evidence_of_noise(uneven) == std::vector<std::string>{"one core runs at 70 % of another's speed"});
}

TEST_CASE("a probe of one core finishes and reports shares") {
    const CoreProbe probe = probe_cores(1);
    CHECK(probe.seconds > 0);
    CHECK(probe.processor_share > 0);
    CHECK(probe.processor_share <= 1.05);
    CHECK(probe.together > 0);
}

TEST_CASE("a probe that saw noise is repeated as often as asked, and its last word counts") {
    const CoreProbe once = settled_probe(1, 1);
    CHECK(once.seconds > 0);
    const CoreProbe settled = settled_probe(1, 3);
    CHECK(settled.seconds > 0);
    CHECK(settled.processor_share > 0);
}

TEST_CASE("the environment names processor, compiler and version") {
    std::vector<std::string> keys;
    for (const auto& [key, value] : describe_environment()) {
        keys.push_back(key);
        CHECK_FALSE(value.empty());
    }
    for (const char* key : {"date", "cores", "kernel", "compiler", "narrows"}) {
        CHECK(std::ranges::find(keys, key) != keys.end());
    }
}

}  // namespace
}  // namespace narrows
