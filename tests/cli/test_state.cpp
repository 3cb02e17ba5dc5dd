#include <catch2/catch.hpp>
#include <cmath>

#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

constexpr double mebi = 1 << 20;

// Updates of one rank take e^0.5 times as long where cores are far from each other, as they usually are.
Machine here() {
    Machine machine = parse_machine(
        "name: here\nsource: calibrated\nnode: {processors: 1, core_distance: 200 ns}\ncompute: {gups: {update: 10 "
        "ns}}\n",
        "here.yaml", "here");
    machine.environment = {{"host", "elsewhere"}};
    MeasuredResiduals measured{.name = "gups-sequential",
                               .scales = {2, 1, 1},
                               .spread = 0.3,
                               .noise = 0.02,
                               .states = {{std::log(30e-9)}, {std::log(200e-9)}, {std::log(210e-9)}}};
    for (double table = mebi; table < 1024 * mebi; table *= 4) {
        for (const double distance : {30e-9, 200e-9}) {
            measured.points.push_back({{std::log(table), 0, std::log(distance)}, distance > 100e-9 ? 0.5 : 0});
        }
    }
    machine.residuals.emplace_back(measured);
    return machine;
}

TEST_CASE("the option --state: predictions are of cores that far from each other, else of all states that were met") {
    const ScratchDirectory scratch;
    write_whole_file("here.yaml", write_machine(here()));
    const std::string asked = "predict gups -m here.yaml --variant sequential --table '64 MiB'";
    const auto result = [&](const std::string& state) { return json_from(asked + state); };
    const nlohmann::json usual = result(" --state usual");
    const nlohmann::json near = result(" --state '31 ns'");
    const double factor = near["result"]["value"].get<double>() / usual["result"]["value"].get<double>();
    CHECK(factor == Approx(std::exp(0.5)).epsilon(0.03));
    CHECK(usual["result"]["high"].get<double>() > near["result"]["value"].get<double>());
    CHECK(near["result"]["low"].get<double>() > usual["result"]["value"].get<double>());
    CHECK(near["remarks"].dump().find("predicted for cores 31 ns from each other; --state usual") != std::string::npos);
    CHECK(result("") == usual);  // calibrated elsewhere
    const std::string change = "what-if gups -m here.yaml --variant sequential --table '64 MiB' --state '31 ns'";
    CHECK(json_from(change + " --set compute.gups.update=2x")["before"]["result"] == near["result"]);
    const auto refused = [&](const std::string& state, const char* why) {
        CHECK_THAT(refusal_of(asked + state), Catch::Contains(why));
    };
    refused(" --state now", "--state now: machine 'here' was not calibrated on this host");
    const nlohmann::json set = result(" --set node.core_distance='31 ns'");
    CHECK(set["result"]["value"].get<double>() == Approx(near["result"]["value"].get<double>()).epsilon(0.03));
    CHECK_FALSE(set.contains("remarks"));
    refused(" --state '31 ns' --set node.core_distance='31 ns'", "give one of them");
    refused(" --state '0 ns'", "--state 0 ns: give now, usual, or a time above zero");
    refused(" --state near", "--state: 'near'");
    refused(" --state '1e300 s'", "give now, usual, or a time above zero and below a second");
    CHECK(near["remarks"].size() == 1);
    CHECK_THAT(result(" --state '1 ns'")["remarks"][1].get<std::string>(),
               Catch::Contains("beyond what was measured: cores 1 ns from each other (measured: 30 ns to 210 ns)"));
}

}  // namespace
}  // namespace narrows
